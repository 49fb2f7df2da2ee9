# Joins words as a sentence does: "a", "a or b", "a, b or c".
function motd::sentence(Array[String] $words) >> String {
  if $words.size < 2 {
    $words.join(', ')
  } else {
    "${words[0, -2].join(', ')} or ${words[-1]}"
  }
}
