# A function in the Puppet language.
function deferrals::written(String $word) >> String {
  "${facts['kernel']} ${deferrals::plain($word, 'pp')}"
}
