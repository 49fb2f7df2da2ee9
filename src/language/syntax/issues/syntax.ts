import { defineIssues } from '../../../base/issue.ts'

/** Error definitions of the lexer and the parser, in Puppet's words. Puppet: pops/issues.rb, egrammar.ra. */
export const syntaxIssues = defineIssues({
  SYNTAX_ERROR: { text: (a: { where: string }) => `Syntax error at ${a.where}` },
  ILLEGAL_CLASS_REFERENCE: { text: () => 'Illegal class reference' },
  ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE: { text: () => 'Illegal fully qualified class reference' },
  ILLEGAL_FULLY_QUALIFIED_NAME: { text: () => 'Illegal fully qualified name' },
  ILLEGAL_NUMBER: { text: (a: { value: string }) => `Illegal number '${a.value}'` },
  INVALID_HEX_NUMBER: { text: (a: { value: string }) => `Not a valid hex number ${a.value}` },
  INVALID_OCTAL_NUMBER: { text: (a: { value: string }) => `Not a valid octal number ${a.value}` },
  INVALID_DECIMAL_NUMBER: { text: (a: { value: string }) => `Not a valid decimal number ${a.value}` },
  ILLEGAL_UNICODE_ESCAPE: {
    text: () => "Unicode escape '\\u' was not followed by 4 hex digits or 1-6 hex digits in {} or was > 10ffff",
  },
  UNRECOGNIZED_ESCAPE: { text: (a: { ch: string }) => `Unrecognized escape sequence '\\${a.ch}'` },
  UNCLOSED_QUOTE: {
    text: (a: { after: string; followedBy: string }) => `Unclosed quote after ${a.after} followed by '${a.followedBy}'`,
  },
  UNCLOSED_MLCOMMENT: { text: () => 'Unclosed multiline comment' },
  EPP_UNBALANCED_TAG: { text: () => 'Unbalanced epp tag, reached <eof> without closing tag.' },
  EPP_UNBALANCED_COMMENT: { text: () => 'Reaching end after opening <%# without seeing %>' },
  EPP_UNBALANCED_EXPRESSION: { text: () => 'Unbalanced embedded expression - opening <% and reaching end of input' },
  HEREDOC_UNCLOSED_PARENTHESIS: {
    text: (a: { followedBy: string }) => `Unclosed parenthesis after '@(' followed by '${a.followedBy}'`,
  },
  HEREDOC_WITHOUT_END_TAGGED_LINE: { text: () => 'Heredoc without end-tagged line' },
  HEREDOC_INVALID_ESCAPE: {
    text: (a: { actual: string }) =>
      `Invalid heredoc escape char. Only t, r, n, s,  u, L, $ allowed. Got '${a.actual}'`,
  },
  HEREDOC_INVALID_SYNTAX: { text: () => 'Invalid syntax in heredoc expected @(endtag[:syntax][/escapes])' },
  HEREDOC_WITHOUT_TEXT: { text: () => 'Heredoc without any following lines of text' },
  HEREDOC_EMPTY_ENDTAG: { text: () => 'Heredoc with an empty endtag' },
  HEREDOC_MULTIPLE_AT_ESCAPES: {
    text: (a: { escapes: readonly string[] }) =>
      `An escape char for @() may only appear once. Got '${a.escapes.join(', ')}'`,
  },
  ILLEGAL_BOM: {
    text: (a: { format: string; bytes: string }) =>
      `Illegal ${a.format} Byte Order mark at beginning of input: ${a.bytes} - remove these from the puppet source`,
  },
  NOT_UTF8: {
    // The message is Ruby's. Puppet reports it without a line number.
    text: () => 'invalid byte sequence in UTF-8',
    hint: () => 'Save the file as UTF-8.',
  },
  CLASS_KEYWORD_AS_NAME: { text: () => "'class' keyword not allowed at this location" },
  QUOTED_NAME: { text: () => 'A quoted string is not valid as a name here' },
  VIRTUAL_NOT_RESOURCE: { text: () => 'Virtual (@) can only be applied to a Resource Expression' },
  EXPORTED_NOT_RESOURCE: { text: () => 'Exported (@@) can only be applied to a Resource Expression' },
  RESOURCE_BODY_WITHOUT_TITLE: { text: () => 'Syntax error resource body without title or hash with +>' },
  NOT_RESOURCE_SHAPED: {
    text: () => 'Expression is not valid as a resource, resource-default, or resource-override',
  },
  ARGUMENTS_WITHOUT_PARENTHESES: {
    text: (a: { name: string }) =>
      `attempt to pass argument list to the function '${a.name}' which cannot be called without parentheses`,
  },
  ILLEGAL_ARGUMENT_LIST: { text: () => 'illegal comma separated argument list' },
  NESTED_TOO_DEEPLY: {
    text: () => 'Code is nested too deeply',
    hint: () => 'Move inner parts into variables, functions or classes.',
  },
})
