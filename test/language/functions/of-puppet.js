/** Every function of Puppet 8's reference, both generations. */
export const functionsOfPuppet =
  `abs alert all annotate any assert_type binary_file break call camelcase capitalize ceiling chomp chop compare
  contain convert_to create_resources crit debug defined dig digest downcase each emerg empty epp err eyaml_lookup_key fail
  file filter find_file find_template flatten floor fqdn_rand generate get getvar group_by hiera hiera_array hiera_hash
  hiera_include hocon_data import include index info inline_epp inline_template join json_data keys length lest lookup lstrip
  map match max md5 min module_directory new next notice partition realize reduce regsubst require return reverse_each round
  rstrip scanf sha1 sha256 shellquote size slice sort split sprintf step strftime strip tag tagged template then tree_each type
  unique unwrap upcase values versioncmp warning with yaml_data`.split(/\s+/)
