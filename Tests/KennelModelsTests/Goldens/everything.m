#import <Realm/Realm.h>
#define NOTHING(x) \
  @interface x : RLMObject
@import Foundation;
@class Owner;
@protocol Barking;

typedef NS_ENUM(NSInteger, Mood) {
  MoodGood,
  MoodBad = 7,
};

NS_ASSUME_NONNULL_BEGIN

@protocol Barking <NSObject>
- (void)bark;
@end

/**
 * Something of every kind.
 */
@interface Everything : RLMObject <Barking> {
  int secret;
}
@property (nonatomic, strong, getter=isGood) BOOL good;
@property NSInteger integer; // as wide as it gets
@property int small, other;
@property long long wide;
@property float narrow;
@property (nonatomic) double broad;
@property CGFloat height;
@property Mood mood;
@property (nullable) NSString *nickname;
@property NSString * _Nonnull name;
@property NSDate *birthday;
@property NSData *picture;
@property NSUUID *uuid;
@property RLMObjectId *_id;
@property RLMDecimal128 *price;
@property NSNumber<RLMInt> *maybeInt;
@property NSNumber<RLMBool> *maybeBool;
@property NSNumber<RLMFloat> *maybeFloat;
@property NSNumber<RLMDouble> *sureDouble;
@property id<RLMValue> anything;
@property (nullable) Owner *owner;
@property Place *place;
@property RLMArray<Owner *><Owner> *owners;
@property RLMArray<Owner> *oldOwners;
@property RLMArray<NSString *><RLMString> *tags;
@property RLMArray<NSString *> *sureTags;
@property RLMSet<NSNumber *><RLMInt> *numbers;
@property RLMSet<Owner *><Owner> *friends;
@property RLMDictionary<NSString *, Owner *><RLMString, Owner> *byName;
@property RLMDictionary<NSString *, NSNumber *><RLMString, RLMInt> *counts;
@property RLMArray<id<RLMValue>><RLMValue> *things;
@property NSString *class;
@property (readonly) NSString *title;
@property NSString *scratch;
@property UIImage *image;
@property (class, readonly) NSString *kind;
@property NSString *old __deprecated_msg("use name; please");
+ (instancetype)makeWithName:(NSString *)name age:(NSInteger)age;
- (void)bark;
@end

RLM_COLLECTION_TYPE(Everything)

@interface Place : RLMEmbeddedObject
@property double latitude;
@end

@interface Owner : RLMObject
@property NSString *name;
@property NSString *hash;
@property Everything *pet;
@property (readonly) RLMLinkingObjects<Everything *> *things;
@property (readonly) RLMLinkingObjects *description;
@end

@interface Dealer : Owner
@property RLMArray<Everything *><Everything> *stock;
@end

@interface AppDelegate : UIResponder
@property (strong) UIWindow *window;
@end

NS_ASSUME_NONNULL_END

@implementation Everything {
  int more;
}
@synthesize good = _good;
static NSString *const Key = @"name; {";
+ (NSString *)primaryKey {
  // by its selector
  return NSStringFromSelector(@selector(_id));
}
+ (NSArray<NSString *> *)requiredProperties {
  return @[@"name", @"sureDouble", @"sureTags", /* these */ @"tags", ];
}
+ (NSArray *)indexedProperties { return @[ @"name", @"integer" ]; }
+ (NSArray *)ignoredProperties { return @[@"scratch", @"image"]; }
+ (NSDictionary *)defaultPropertyValues {
  return @{
    @"good": @YES,
    @"integer": @0x1F,
    @"small": @(-3),
    @"wide": @10LL,
    @"narrow": @1.5f,
    @"broad": @2.,
    @"nickname": [NSNull null],
    @"name": @"a \"dog\"",
    @"birthday": [NSDate date],
    @"picture": [NSData data],
    @"uuid": NSUUID.UUID,
    @"_id": [RLMObjectId objectId],
    @"price": @9.99,
    @"anything": @"x",
    @"owners": @[],
    @"scratch": @"s",
  };
}
- (NSString *)title {
  return [NSString stringWithFormat:@"%@ }", self.name];
}
+ (instancetype)makeWithName:(NSString *)name age:(NSInteger)age {
  if (age > 3) { return nil; }
  return [Everything new];
}
- (void)bark {}
@end

@implementation Owner
+ (NSDictionary<NSString *, RLMPropertyDescriptor *> *)linkingObjectsProperties {
  return @{ @"things": [RLMPropertyDescriptor descriptorWithClass:[Everything class]
                                                     propertyName:@"owner"],
            @"description": [RLMPropertyDescriptor descriptorWithClass:Everything.class propertyName:@"owners"] };
}
+ (BOOL)shouldIncludeInDefaultSchema { return NO; }
@end
