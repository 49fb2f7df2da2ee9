# Variables.
class variables ($camelCase, $with-dash = 1) {
  $Upper = "${camelCase} $under_Score"
  $index = $facts['Kernel-Name']
  $q = $variables::with-dash
  notice($facts[os][name], $::osfamily)
}
