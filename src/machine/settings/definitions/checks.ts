import { getCurves } from 'node:crypto'
import { isIP } from 'node:net'
import { isCertname } from '../certname.ts'
import { checkedText, checkedWords } from '../kinds.ts'

// Kinds of settings with rules of their own, beyond the general kinds.

/** A valid certname. Puppet: defaults.rb, ssl/base.rb. */
export const certname = checkedText({
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

/** The setting `autosign`. Puppet: settings/autosign_setting.rb. */
export const autosigning = checkedText({
  expects: 'true, false, or the absolute path of a file of names or of a program',
  known: ['true', 'false'],
  accepts: (given) => ['', 'true', 'false'].includes(given) || given.startsWith('/'),
  complaint: (_, given) => `Invalid autosign value ${given}: must be 'true'/'false' or an absolute path`,
})

/** An IP address of this host; empty for any. */
export const address = checkedText({
  expects: 'an IP address',
  accepts: (given) => given === '' || isIP(given) !== 0,
})

/** The password of a proxy, which is part of a URL. Puppet: defaults.rb; the message leaves the password out. */
export const urlPassword = checkedText({
  expects: 'a password as in a URL: @ is %40, # is %23, / is %2F, ! is %21, a blank is %20',
  accepts: (given) => !/[@!# /]/.test(given),
  complaint: (name) =>
    `Passwords set in the ${name} setting must be valid as part of a URL, and any reserved characters must be URL-encoded`,
})

/** A SHA-256 fingerprint, with or without colons; empty for none. */
export const fingerprint = checkedText({
  expects: 'a SHA-256 fingerprint: 64 hexadecimal digits, with or without colons',
  accepts: (given) => given === '' || /^(?:[0-9a-f]{2}[: ]?){31}[0-9a-f]{2}$/i.test(given),
})

/** Servers, each with an optional port. */
export const hostsWithPorts = checkedWords({
  expects: 'HOST or HOST:PORT, separated by commas',
  accepts: (word) => /^[\w.-]+(?::\d{1,5})?$|^\[[0-9a-f:.]+\](?::\d{1,5})?$/i.test(word) && portIn(word) <= 65_535,
})

const portIn = (word: string): number => Number(/:(\d+)$/.exec(word)?.[1] ?? 0)

/** Headers of HTTP. Puppet: settings/http_extra_headers_setting.rb. */
export const headers = checkedWords({
  expects: 'NAME:VALUE, separated by commas',
  accepts: (word) => /^[!#$%&'*+.^_`|~\w-]+[ \t]*:/.test(word),
  // A header may contain a token.
  complaint: (name) => `Invalid value for parameter: ${name}`,
})

/** An address of a web server. */
export const webAddress = checkedText({
  expects: 'an address that begins with http:// or https://',
  accepts: (given) => /^https?:\/\//.test(given) && URL.canParse(given),
  // The address may contain a password.
  complaint: (name) => `Invalid value for parameter: ${name}`,
})

/** The setting `store`. */
export const storeName = checkedText({
  expects: 'none, sqlite, puppetdb, or the address of a PostgreSQL that begins with postgresql://',
  known: ['none', 'sqlite', 'puppetdb'],
  accepts: (given) => ['', 'none', 'sqlite', 'puppetdb'].includes(given) || /^postgres(?:ql)?:\/\//.test(given),
  // The address may contain a password.
  complaint: (name, given) => `Invalid value${given.includes('/') ? '' : ` '${given}'`} for parameter: ${name}`,
})

/** Destinations of a log. Puppet: util/log/destinations.rb. */
export const logDestinations = checkedText({
  expects: 'console, syslog, journald, or the absolute path of a file; several are separated by commas',
  known: ['console', 'syslog', 'journald'],
  accepts: (given) =>
    given
      .split(',')
      .map((each) => each.trim())
      .every((each) => ['', 'console', 'syslog', 'journald'].includes(each) || each.startsWith('/')),
})

/** An elliptic curve that OpenSSL knows. */
export const curve = checkedText({
  expects: 'the name of a curve, as prime256v1, secp384r1 or secp521r1',
  known: ['prime256v1', 'secp384r1', 'secp521r1'],
  accepts: (given) => getCurves().includes(given),
})

/** Words of a closed list, separated by commas, with Puppet's error message for a wrong word. */
export function someOf(...known: readonly string[]) {
  return checkedWords({
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
