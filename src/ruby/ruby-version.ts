/** Version of the CRuby that runs code of modules. */
export const rubyVersion = '3.4.1'

/** Version of the RubyGems that belongs to this Ruby. */
export const rubygemsVersion = '3.6.2'

/** Gems that belong to this Ruby, with their versions: dependencies on them are met without an installation. */
export const builtInGems: Readonly<Record<string, string>> = {
  base64: '0.2.0',
  bigdecimal: '3.1.8',
  csv: '3.3.2',
  date: '3.4.1',
  digest: '3.2.0',
  erb: '4.0.4',
  json: '2.9.1',
  openssl: '3.3.0',
  psych: '5.2.2',
  rexml: '3.4.0',
  stringio: '3.1.2',
  strscan: '3.1.2',
  time: '0.4.1',
  uri: '1.0.2',
  yaml: '0.4.0',
  zlib: '3.2.1',
}
