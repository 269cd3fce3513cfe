print("kennel")
