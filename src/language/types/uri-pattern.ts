import { rfc2396 } from '../ruby-semantics/uri/rfc2396.ts'
import { Regexp } from '../values/regexp.ts'
import type { Type } from '../values/type.ts'
import * as make from './constructors.ts'

const { escaped, unreserved, reserved, opaque, userinfo, path } = rfc2396
const address = '\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}'
const hex = '[a-fA-F\\d]{1,4}'
const lastGroup = `(?:${hex}|${address})`
const literal = `\\[(?:(?:${hex}:)*${lastGroup}|(?:(?:${hex}:)*${hex})?::(?:(?:${hex}:)*${lastGroup})?)\\]`
const host = `(?:(?:[a-zA-Z0-9\\-.]|%\\h\\h)+|${address}|${literal})`
const registry = `(?:[${unreserved}$,;:@&=+]|${escaped})+`

/**
 * Ruby's `URI.regexp`, with its spaces and comments, because messages print the pattern. Ruby: uri/rfc2396_parser.rb.
 */
export const URI_PATTERN = new Regexp(`(?x-mi:
        ([a-zA-Z][\\-+.a-zA-Z\\d]*):                           (?# 1: scheme)
        (?:
           (${opaque})                    (?# 2: opaque)
        |
           (?:(?:
             \\/\\/(?:
                 (?:(?:(${userinfo})@)?        (?# 3: userinfo)
                   (?:(${host})(?::(\\d*))?))? (?# 4: host, 5: port)
               |
                 (${registry})                 (?# 6: registry)
               )
             |
             (?!\\/\\/))                           (?# XXX: '\\/\\/' is the mark for hostport)
             (${path})?                    (?# 7: path)
           )(?:\\?(${reserved}))?                 (?# 8: query)
        )
        (?:\\#(${reserved}))?                  (?# 9: fragment)
      )`)

/** `Pcore::URI`: strings that contain an absolute URI. */
export const URI_TEXT: Type = make.createPatternType([URI_PATTERN])
