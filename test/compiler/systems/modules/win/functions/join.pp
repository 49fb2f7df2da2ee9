function win::join(String *$parts) >> String {
  $parts.join('\\')
}
