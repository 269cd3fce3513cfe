// Models that are called like types of Swift or of the face.
@interface List : RLMObject
@property RLMArray<Date *><Date> *dates;
@property NSDate *day;
@property NSString *name;
@end

@interface Date : RLMObject
@property NSString *description;
@property NSString *dateDescription;
@property (readonly) RLMLinkingObjects *lists;
@end

@implementation Date
+ (NSDictionary *)linkingObjectProperties {
  return @{@"lists": [RLMPropertyDescriptor descriptorWithClass:List.class propertyName:@"dates"]};
}
@end
