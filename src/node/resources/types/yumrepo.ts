import { fail } from '../../../base/issue.ts'
import type { Value } from '../../../language/values/value.ts'
import { complainAboutForm, issues } from '../issues.ts'
import { anything, inspect, type Kind, type Plain, parsedBy, plain, text } from '../kind.ts'
import { defineType, ensurable, namevar, parameter, property } from '../type.ts'

const orAbsent = 'Set this to `absent` to remove it from the file completely.'

/** `absent` or a word that matches the pattern; a number remains a number. */
function wordLike(pattern: RegExp): Kind<Plain> {
  return parsedBy((value: Value) => {
    const given = plain(value)
    if (given !== 'absent' && !pattern.test(String(given)))
      fail(issues.INVALID_VALUE, {
        value: inspect(given),
        valid: `Valid values are absent. Valid values match ${pattern}.`,
      })
    return given
  })
}

const yumBoolean = wordLike(/^(true|false|0|1|no|yes)$/)

const schemes = ['file', 'http', 'https', 'ftp']

/** URLs with schemes that yum supports, or one of the given words. */
function addresses(name: string, several: boolean, ...words: readonly string[]): Kind<string> {
  return parsedBy((value: Value) => {
    const given = String(plain(value))
    if (given === 'absent' || words.includes(given)) return given
    for (const each of several ? given.split(/\s+/) : [given]) {
      const [, scheme = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(each) ?? []
      if (!schemes.includes(scheme.toLowerCase()))
        complainAboutForm(`Validate method failed for class ${name}: Must be a valid URL`)
    }
    return given
  })
}

const any = (doc: string) => property(anything, `${doc} ${orAbsent}`)
const secret = (doc: string) => property(text, `${doc} ${orAbsent}`, { sensitive: true })
const like = (pattern: RegExp, doc: string) => property(wordLike(pattern), `${doc} ${orAbsent}`)
const address = (name: string, doc: string) => property(addresses(name, false), `${doc} ${orAbsent}`)
const yes = (doc: string) =>
  property(
    parsedBy((value: Value) => {
      const word = String(yumBoolean.parse(value))
      return word === 'absent' ? word : `${word[0]!.toUpperCase()}${word.slice(1)}`
    }),
    `${doc} ${orAbsent}`,
  )

/** Repositories of yum and dnf. */
export const yumrepo = defineType('yumrepo', {
  doc: 'The client-side description of a yum repository.',
  attributes: {
    ensure: ensurable('`present` adds the repository, `absent` removes it.'),
    descr: any('A human-readable description of the repository.'),
    mirrorlist: address('mirrorlist', 'The URL of the mirror list.'),
    baseurl: property(addresses('baseurl', true), `The URLs of the repository. ${orAbsent}`),
    enabled: yes('Enables the repository.'),
    gpgcheck: yes('Enables signature checks of packages.'),
    payload_gpgcheck: yes('Enables signature checks of package payloads.'),
    repo_gpgcheck: yes('Enables signature checks of repository metadata.'),
    gpgkey: property(addresses('gpgkey', true), `The URLs of the keys that sign packages. ${orAbsent}`),
    mirrorlist_expire: like(/^[0-9]+$/, 'The lifetime of the mirror list in seconds.'),
    include: address('include', 'The URL of a file with more configuration.'),
    exclude: any('The packages to exclude.'),
    gpgcakey: address('gpgcakey', 'The URL of the CA key.'),
    includepkgs: any('The packages to include; all others are excluded.'),
    enablegroups: yes('Enables package groups.'),
    module_hotfixes: yes('Disables modular filtering of packages.'),
    failovermethod: like(/^roundrobin|priority$/, 'The failover method: `roundrobin` or `priority`.'),
    keepalive: yes('Enables persistent HTTP connections.'),
    retries: like(/^[0-9]+$/, 'The number of attempts; 0 is unlimited.'),
    http_caching: like(/^(packages|all|none)$/, 'The data to cache: `packages`, `all` or `none`.'),
    timeout: like(/^\d+$/, 'The connection timeout in seconds.'),
    metadata_expire: like(/^([0-9]+[dhm]?|never)$/, 'The age at which metadata expires.'),
    protect: yes('Protects the repository from updates by other repositories.'),
    priority: like(/^-?\d+$/, 'The priority of the repository.'),
    minrate: like(/^\d+$/, 'The minimum speed in bytes per second.'),
    throttle: like(/^\d+[kMG%]?$/, 'The maximum bandwidth of downloads.'),
    bandwidth: like(/^\d+[kMG]?$/, 'The bandwidth in bytes per second.'),
    cost: like(/^\d+$/, 'The cost of the repository.'),
    proxy: property(addresses('proxy', false, '_none_', ''), `The URL of a proxy, or \`_none_\`. ${orAbsent}`),
    proxy_username: any('The user name for the proxy.'),
    proxy_password: secret('The password for the proxy.'),
    s3_enabled: yes('Marks a repository in S3.'),
    sslcacert: any('The directory or file of CA certificates.'),
    sslverify: yes('Enables verification of TLS certificates.'),
    sslclientcert: any('The client certificate.'),
    sslclientkey: any('The key of the client certificate.'),
    metalink: address('metalink', 'The metalink for mirrors.'),
    skip_if_unavailable: yes('Continues without the repository if it is unavailable.'),
    assumeyes: yes('Answers prompts with yes.'),
    deltarpm_percentage: like(/^\d+$/, 'The maximum size of a delta, in percent of the package.'),
    deltarpm_metadata_percentage: like(/^\d+$/, 'The maximum size of delta metadata, in percent of the metadata.'),
    username: any('The user name for the repository.'),
    password: secret('The password for the repository.'),
    name: namevar(text, 'The id of the repository.'),
    target: parameter(text, 'The file of the repository: an absolute path, or a name in the repository directory.', {
      default: 'absent',
    }),
    provider: parameter(anything, 'The backend.'),
  },
})
