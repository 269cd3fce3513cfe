// Book.h
@interface Book : RLMObject
@property NSString *title;
// Stored as "description", a name that Swift objects have already
@property NSString *description;
@property (readonly) RLMLinkingObjects *readers;
@end
// Book can stand in an RLMArray
RLM_COLLECTION_TYPE(Book)
// Desk.h: goes with its owner
@interface Desk : RLMEmbeddedObject
@property NSString *room;
@property NSString *telephone;
@end
RLM_COLLECTION_TYPE(Desk)
// Reader.h
@interface Reader : RLMObject
@property NSString *name;
// One book, or none
@property Book *favourite;
// Any number of books
@property RLMArray<Book *><Book> *borrowed;
@end
// Library.h
@interface Library : RLMObject
@property NSString *name;
// One desk of its own
@property Desk *entrance;
// Any number of desks of its own
@property RLMArray<Desk *><Desk> *desks;
@end
// Book.m
@implementation Book
+ (NSDictionary *)linkingObjectsProperties {
  return @{
    @"readers": [RLMPropertyDescriptor descriptorWithClass:Reader.class propertyName:@"borrowed"],
  };
}
@end
// Desk.m
@implementation Desk
@end
// Reader.m
@implementation Reader
@end
