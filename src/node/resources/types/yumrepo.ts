import { throwIssue } from '../../../base/issue.ts'
import type { Value } from '../../../language/values/value.ts'
import {
  type AttributeKind,
  anyKind,
  createParsedKind,
  inspectPlainValue,
  type PlainValue,
  textKind,
  toPlainText,
  toPlainValue,
} from '../attribute-kinds.ts'
import { failWithFormError, issues } from '../issues.ts'
import { defineEnsure, defineNamevar, defineParameter, defineProperty, defineType } from '../type.ts'

const orAbsent = 'Set this to `absent` to remove it from the file completely.'

/** `absent` or a word that matches the pattern; a number remains a number. */
function createWordKind(pattern: RegExp): AttributeKind<PlainValue> {
  return createParsedKind((value: Value) => {
    const given = toPlainValue(value)
    if (given !== 'absent' && !pattern.test(String(given)))
      throwIssue(issues.INVALID_VALUE, {
        value: inspectPlainValue(given),
        valid: `Valid values are absent. Valid values match ${pattern}.`,
      })
    return given
  })
}

const yumBoolean = createWordKind(/^(true|false|0|1|no|yes)$/)

const schemes = ['file', 'http', 'https', 'ftp']

/** URLs with schemes that yum supports, or one of the given words. */
function createUrlKind(name: string, several: boolean, ...words: readonly string[]): AttributeKind<string> {
  return createParsedKind((value: Value) => {
    const given = toPlainText(value)
    if (given === 'absent' || words.includes(given)) return given
    for (const each of several ? given.split(/\s+/) : [given]) {
      const [, scheme = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(each) ?? []
      if (!schemes.includes(scheme.toLowerCase()))
        failWithFormError(`Validate method failed for class ${name}: Must be a valid URL`)
    }
    return given
  })
}

const defineAnyProperty = (doc: string) => defineProperty(anyKind, `${doc} ${orAbsent}`)
const defineSecretProperty = (doc: string) => defineProperty(textKind, `${doc} ${orAbsent}`, { sensitive: true })
const definePatternProperty = (pattern: RegExp, doc: string) =>
  defineProperty(createWordKind(pattern), `${doc} ${orAbsent}`)
const defineUrlProperty = (name: string, doc: string) =>
  defineProperty(createUrlKind(name, false), `${doc} ${orAbsent}`)
const defineBooleanProperty = (doc: string) =>
  defineProperty(
    createParsedKind((value: Value) => {
      const word = String(yumBoolean.parse(value))
      return word === 'absent' ? word : `${word[0]!.toUpperCase()}${word.slice(1)}`
    }),
    `${doc} ${orAbsent}`,
  )

/** The resource type `yumrepo`: repositories of yum and dnf. */
export const yumrepo = defineType('yumrepo', {
  doc: 'The client-side description of a yum repository.',
  attributes: {
    ensure: defineEnsure('`present` adds the repository, `absent` removes it.'),
    descr: defineAnyProperty('A human-readable description of the repository.'),
    mirrorlist: defineUrlProperty('mirrorlist', 'The URL of the mirror list.'),
    baseurl: defineProperty(createUrlKind('baseurl', true), `The URLs of the repository. ${orAbsent}`),
    enabled: defineBooleanProperty('Enables the repository.'),
    gpgcheck: defineBooleanProperty('Enables signature checks of packages.'),
    payload_gpgcheck: defineBooleanProperty('Enables signature checks of package payloads.'),
    repo_gpgcheck: defineBooleanProperty('Enables signature checks of repository metadata.'),
    gpgkey: defineProperty(createUrlKind('gpgkey', true), `The URLs of the keys that sign packages. ${orAbsent}`),
    mirrorlist_expire: definePatternProperty(/^[0-9]+$/, 'The lifetime of the mirror list in seconds.'),
    include: defineUrlProperty('include', 'The URL of a file with more configuration.'),
    exclude: defineAnyProperty('The packages to exclude.'),
    gpgcakey: defineUrlProperty('gpgcakey', 'The URL of the CA key.'),
    includepkgs: defineAnyProperty('The packages to include; all others are excluded.'),
    enablegroups: defineBooleanProperty('Enables package groups.'),
    module_hotfixes: defineBooleanProperty('Disables modular filtering of packages.'),
    failovermethod: definePatternProperty(/^roundrobin|priority$/, 'The failover method: `roundrobin` or `priority`.'),
    keepalive: defineBooleanProperty('Enables persistent HTTP connections.'),
    retries: definePatternProperty(/^[0-9]+$/, 'The number of attempts; 0 is unlimited.'),
    http_caching: definePatternProperty(/^(packages|all|none)$/, 'The data to cache: `packages`, `all` or `none`.'),
    timeout: definePatternProperty(/^\d+$/, 'The connection timeout in seconds.'),
    metadata_expire: definePatternProperty(/^([0-9]+[dhm]?|never)$/, 'The age at which metadata expires.'),
    protect: defineBooleanProperty('Protects the repository from updates by other repositories.'),
    priority: definePatternProperty(/^-?\d+$/, 'The priority of the repository.'),
    minrate: definePatternProperty(/^\d+$/, 'The minimum speed in bytes per second.'),
    throttle: definePatternProperty(/^\d+[kMG%]?$/, 'The maximum bandwidth of downloads.'),
    bandwidth: definePatternProperty(/^\d+[kMG]?$/, 'The bandwidth in bytes per second.'),
    cost: definePatternProperty(/^\d+$/, 'The cost of the repository.'),
    proxy: defineProperty(
      createUrlKind('proxy', false, '_none_', ''),
      `The URL of a proxy, or \`_none_\`. ${orAbsent}`,
    ),
    proxy_username: defineAnyProperty('The user name for the proxy.'),
    proxy_password: defineSecretProperty('The password for the proxy.'),
    s3_enabled: defineBooleanProperty('Marks a repository in S3.'),
    sslcacert: defineAnyProperty('The directory or file of CA certificates.'),
    sslverify: defineBooleanProperty('Enables verification of TLS certificates.'),
    sslclientcert: defineAnyProperty('The client certificate.'),
    sslclientkey: defineAnyProperty('The key of the client certificate.'),
    metalink: defineUrlProperty('metalink', 'The metalink for mirrors.'),
    skip_if_unavailable: defineBooleanProperty('Continues without the repository if it is unavailable.'),
    assumeyes: defineBooleanProperty('Answers prompts with yes.'),
    deltarpm_percentage: definePatternProperty(/^\d+$/, 'The maximum size of a delta, in percent of the package.'),
    deltarpm_metadata_percentage: definePatternProperty(
      /^\d+$/,
      'The maximum size of delta metadata, in percent of the metadata.',
    ),
    username: defineAnyProperty('The user name for the repository.'),
    password: defineSecretProperty('The password for the repository.'),
    name: defineNamevar(textKind, 'The id of the repository.'),
    target: defineParameter(
      textKind,
      'The file of the repository: an absolute path, or a name in the repository directory.',
      {
        default: 'absent',
      },
    ),
    provider: defineParameter(anyKind, 'The backend.'),
  },
})
