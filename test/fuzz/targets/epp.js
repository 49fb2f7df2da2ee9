import { textOf } from '../target.js'
import { read } from './puppet.js'

/** Templates of EPP. @type {import('../target.js').Target} */
export default {
  name: 'epp',
  seeds: [
    '<%- | String $a = "x", $b | -%>\nHello <%= $a %>, <%# comment -%>\n<% if $b { -%>\n yes <%% %%>\n<% } -%>\n',
    '<% [1].each |$x| { %><%= $x %><% } %>',
    'no tags',
  ],
  dictionary: [
    '<%',
    '<%-',
    '<%=',
    '<%#',
    '<%%',
    '%%>',
    '%>',
    '-%>',
    '|',
    '| $a |',
    '{',
    '}',
    '$x',
    '"',
    '${',
    'if ',
    'else ',
    '\n',
    '#',
    '@("E")\n',
    '| E',
  ],
  nsPerByte: 3000,
  run(bytes) {
    read({ file: 'f.epp', text: textOf(bytes) }, { epp: true })
  },
}
