import { getCurves } from 'node:crypto'
import { isIP } from 'node:net'
import { isAbsolutePath } from '../../windows/machine-path.ts'
import { isCertname } from '../certname.ts'
import { createCheckedTextKind, createCheckedWordsKind } from '../kinds.ts'

// Kinds that are each used by a single setting, with their own validation.

/** A valid certname. Puppet: defaults.rb, ssl/base.rb. */
export const defineCertname = createCheckedTextKind({
  expects: "a name of lower-case letters, digits, '.', '_' and '-'",
  initial: true,
  accepts: (given) => given === '' || isCertname(given),
  complaint(_, given) {
    if (given !== given.toLowerCase()) return 'Certificate names must be lower case'
    return /^[ -~]+$/.test(given)
      ? `Certname '${given}' is invalid: no certificate authority signs it`
      : `Certname ${JSON.stringify(given)} must not contain unprintable or non-ASCII characters`
  },
})

/** The value of the setting `autosign`. Puppet: settings/autosign_setting.rb. */
export const defineAutosign = createCheckedTextKind({
  expects: 'true, false, or the absolute path of a file of names or of an executable',
  known: ['true', 'false'],
  accepts: (given) => ['', 'true', 'false'].includes(given) || isAbsolutePath(given),
  complaint: (_, given) => `Invalid autosign value ${given}: must be 'true'/'false' or an absolute path`,
})

/** An IP address; may be empty. */
export const defineAddress = createCheckedTextKind({
  expects: 'an IP address',
  accepts: (given) => given === '' || isIP(given) !== 0,
})

/** The URL-encoded password of a proxy. The error message does not contain the password. Puppet: defaults.rb. */
export const defineUrlPassword = createCheckedTextKind({
  expects: 'a URL-encoded password: @ is %40, # is %23, / is %2F, ! is %21, a space is %20',
  accepts: (given) => !/[@!# /]/.test(given),
  complaint: (name) =>
    `Passwords set in the ${name} setting must be valid as part of a URL, and any reserved characters must be URL-encoded`,
})

/** A SHA-256 fingerprint with or without colons; may be empty. */
export const defineFingerprint = createCheckedTextKind({
  expects: 'a SHA-256 fingerprint: 64 hexadecimal digits, with or without colons',
  accepts: (given) => given === '' || /^(?:[0-9a-f]{2}[: ]?){31}[0-9a-f]{2}$/i.test(given),
})

/** Host names or addresses, each with an optional port. */
export const defineHostsWithPorts = createCheckedWordsKind({
  expects: 'HOST or HOST:PORT, separated by commas',
  accepts: (word) => /^[\w.-]+(?::\d{1,5})?$|^\[[0-9a-f:.]+\](?::\d{1,5})?$/i.test(word) && parsePort(word) <= 65_535,
})

const parsePort = (word: string): number => Number(/:(\d+)$/.exec(word)?.[1] ?? 0)

/** HTTP headers. Puppet: settings/http_extra_headers_setting.rb. */
export const defineHeaders = createCheckedWordsKind({
  expects: 'NAME:VALUE, separated by commas',
  accepts: (word) => /^[!#$%&'*+.^_`|~\w-]+[ \t]*:/.test(word),
  // The message must not contain the value: a header may contain a token.
  complaint: (name) => `Invalid value for parameter: ${name}`,
})

/** A URL with the scheme http or https. */
export const defineWebAddress = createCheckedTextKind({
  expects: 'a URL that begins with http:// or https://',
  accepts: (given) => /^https?:\/\//.test(given) && URL.canParse(given),
  // The message must not contain the URL, which may contain a password.
  complaint: (name) => `Invalid value for parameter: ${name}`,
})

const isDatabaseUrl = (given: string) => /^postgres(?:ql)?:\/\//.test(given) && URL.canParse(given)

/** URLs of PostgreSQL servers. */
export const definePostgresUrls = createCheckedWordsKind({
  expects: 'PostgreSQL URLs that begin with postgresql://, separated by commas (a comma in a password is %2C)',
  accepts: isDatabaseUrl,
  // The message must not contain the URLs, which may contain a password.
  complaint: (name) => `Invalid value for parameter: ${name}`,
})

// A message about the URL of a database must not contain the URL, which may contain a password.
const complainAboutStore = (name: string, given: string) =>
  `Invalid value${given.includes('/') ? '' : ` '${given}'`} for parameter: ${name}`

/** The value of the setting `ca_store`. */
export const defineCaStore = createCheckedTextKind({
  expects: 'cadir, or a PostgreSQL URL that begins with postgresql://',
  known: ['cadir'],
  accepts: (given) => given === 'cadir' || isDatabaseUrl(given),
  complaint: complainAboutStore,
})

/** The value of the setting `store`. */
export const defineStoreName = createCheckedTextKind({
  expects: 'none, sqlite, puppetdb, or a PostgreSQL URL that begins with postgresql://',
  known: ['none', 'sqlite', 'puppetdb'],
  accepts: (given) => ['', 'none', 'sqlite', 'puppetdb'].includes(given) || isDatabaseUrl(given),
  complaint: complainAboutStore,
})

/** Log destinations, separated by commas. Puppet: util/log/destinations.rb. */
export const defineLogDestinations = createCheckedTextKind({
  expects: 'console, syslog, journald, eventlog, or the absolute path of a file; several are separated by commas',
  known: ['console', 'syslog', 'journald', 'eventlog'],
  accepts: (given) =>
    given
      .split(',')
      .map((each) => each.trim())
      .every((each) => ['', 'console', 'syslog', 'journald', 'eventlog'].includes(each) || isAbsolutePath(each)),
})

/** The name of an elliptic curve that OpenSSL supports. */
export const defineCurve = createCheckedTextKind({
  expects: 'a curve name such as prime256v1, secp384r1 or secp521r1',
  known: ['prime256v1', 'secp384r1', 'secp521r1'],
  accepts: (given) => getCurves().includes(given),
})

/** Words of a fixed list, separated by commas, with Puppet's error message for any other word. */
export function defineChoices(...known: readonly string[]) {
  return createCheckedWordsKind({
    expects: `${known.join(', ')}; several are separated by commas`,
    known,
    accepts: (word) => known.includes(word),
    complaint: (name, given) => {
      const wrong = given.split(',').map((each) => each.trim())
      const first = wrong.find((word) => !known.includes(word)) ?? given
      return `Invalid value '${first}' for parameter ${name}. Allowed values are '${known.join("', '")}'`
    },
  })
}
