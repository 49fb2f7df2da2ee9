const escaped = '%[a-fA-F\\d]{2}'
const unreserved = "\\-_.!~*'()a-zA-Z\\d"
const reserved = `(?:[${unreserved};/?:@&=+$,\\[\\]]|${escaped})*`
const characters = `(?:[${unreserved}:@&=+$,]|${escaped})*`
const segment = `${characters}(?:;${characters})*`

/**
 * Parts of URIs by RFC 2396, as patterns that Ruby and JavaScript take alike; written as Ruby writes them, for they show in
 * messages (Ruby: uri/rfc2396_parser.rb).
 */
export const rfc2396 = {
  escaped,
  /** Inside of brackets. */
  unreserved,
  reserved,
  opaque: `(?:[${unreserved};?:@&=+$,]|${escaped})${reserved}`,
  userinfo: `(?:[${unreserved};:&=+$,]|${escaped})*`,
  /** An absolute path. */
  path: `/${segment}(?:/${segment})*`,
} as const
