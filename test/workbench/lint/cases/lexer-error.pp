class broken {
  $a = "ok"
  $b = "never closed
}
