import Foundation

func temporaryPath() -> String {
  NSTemporaryDirectory() + "kennel-test-\(UInt64.random(in: 0...UInt64.max)).kennel"
}
