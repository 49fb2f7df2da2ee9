const escaped = '%[a-fA-F\\d]{2}'
const unreserved = "\\-_.!~*'()a-zA-Z\\d"
const reserved = `(?:[${unreserved};/?:@&=+$,\\[\\]]|${escaped})*`
const characters = `(?:[${unreserved}:@&=+$,]|${escaped})*`
const segment = `${characters}(?:;${characters})*`

/**
 * Patterns for URI parts by RFC 2396, valid in Ruby and JavaScript. Written as in Ruby, because Puppet's messages
 * contain them (uri/rfc2396_parser.rb).
 */
export const rfc2396 = {
  escaped,
  /** The unreserved characters, as the content of a bracketed character class. */
  unreserved,
  reserved,
  opaque: `(?:[${unreserved};?:@&=+$,]|${escaped})${reserved}`,
  userinfo: `(?:[${unreserved};:&=+$,]|${escaped})*`,
  /** An absolute path. */
  path: `/${segment}(?:/${segment})*`,
} as const
