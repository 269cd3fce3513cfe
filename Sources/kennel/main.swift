import Glibc

// Without the words nobody knows what to do: a browser would be wrong.
guard !CommandLine.arguments.isEmpty else {
  printError("The system does not tell the arguments: is /proc mounted?")
  exit(1)
}
exit(run(Array(CommandLine.arguments.dropFirst())))
