import { describe, expect, it } from 'vitest'
import { formatRubyJson, formatRubyYaml } from '../../../src/cli/command/ruby-format.ts'
import { Float } from '../../../src/language/values/float.ts'
import { Hash } from '../../../src/language/values/hash.ts'
import { Sensitive } from '../../../src/language/values/sensitive.ts'

/** What Ruby 3.1 makes of `{'k' => text, 'l' => [text]}`. */
const texts: readonly (readonly [text: string, yaml: string])[] = [
  ['plain', '---\nk: plain\nl:\n- plain\n'],
  ['two words', '---\nk: two words\nl:\n- two words\n'],
  ['y', '---\nk: "y"\nl:\n- "y"\n'],
  ['No', "---\nk: 'No'\nl:\n- 'No'\n"],
  ['true', "---\nk: 'true'\nl:\n- 'true'\n"],
  ['~', '---\nk: "~"\nl:\n- "~"\n'],
  ['null', "---\nk: 'null'\nl:\n- 'null'\n"],
  ['12', "---\nk: '12'\nl:\n- '12'\n"],
  ['1.5', "---\nk: '1.5'\nl:\n- '1.5'\n"],
  ['0644', "---\nk: '0644'\nl:\n- '0644'\n"],
  ['1_000', "---\nk: '1_000'\nl:\n- '1_000'\n"],
  ['2020-01-01', "---\nk: '2020-01-01'\nl:\n- '2020-01-01'\n"],
  ['a: b', "---\nk: 'a: b'\nl:\n- 'a: b'\n"],
  ['a #b', "---\nk: 'a #b'\nl:\n- 'a #b'\n"],
  ['- x', '---\nk: "- x"\nl:\n- "- x"\n'],
  ['-x', '---\nk: "-x"\nl:\n- "-x"\n'],
  ['%{a}', '---\nk: "%{a}"\nl:\n- "%{a}"\n'],
  ['*x', '---\nk: "*x"\nl:\n- "*x"\n'],
  ['&x', '---\nk: "&x"\nl:\n- "&x"\n'],
  ['!x', '---\nk: "!x"\nl:\n- "!x"\n'],
  ['|', '---\nk: "|"\nl:\n- "|"\n'],
  ['> x', '---\nk: "> x"\nl:\n- "> x"\n'],
  ['@x', '---\nk: "@x"\nl:\n- "@x"\n'],
  ['`x`', '---\nk: "`x`"\nl:\n- "`x`"\n'],
  ['{a}', '---\nk: "{a}"\nl:\n- "{a}"\n'],
  ['[a]', '---\nk: "[a]"\nl:\n- "[a]"\n'],
  ['{a} "b"', '---\nk: \'{a} "b"\'\nl:\n- \'{a} "b"\'\n'],
  [' lead', '---\nk: " lead"\nl:\n- " lead"\n'],
  ['trail ', "---\nk: 'trail '\nl:\n- 'trail '\n"],
  ['', "---\nk: ''\nl:\n- ''\n"],
  ['<<', "---\nk: !!str '<<'\nl:\n- !!str '<<'\n"],
  ['x:', "---\nk: 'x:'\nl:\n- 'x:'\n"],
  ['a:b', '---\nk: a:b\nl:\n- a:b\n'],
  ["it's", "---\nk: it's\nl:\n- it's\n"],
  ["'q'", '---\nk: "\'q\'"\nl:\n- "\'q\'"\n'],
  ['"q"', '---\nk: \'"q"\'\nl:\n- \'"q"\'\n'],
  ['tab\tx', '---\nk: "tab\\tx"\nl:\n- "tab\\tx"\n'],
  ['é', '---\nk: é\nl:\n- é\n'],
  ['ümlaut', '---\nk: ümlaut\nl:\n- ümlaut\n'],
  ['日本', '---\nk: 日本\nl:\n- 日本\n'],
  ['#c', '---\nk: "#c"\nl:\n- "#c"\n'],
  ['a,b', '---\nk: a,b\nl:\n- a,b\n'],
  ['?', '---\nk: "?"\nl:\n- "?"\n'],
  ['? x', '---\nk: "? x"\nl:\n- "? x"\n'],
  ['-', '---\nk: "-"\nl:\n- "-"\n'],
  ['--', '---\nk: "--"\nl:\n- "--"\n'],
  ['---', '---\nk: "---"\nl:\n- "---"\n'],
  ['...', '---\nk: "..."\nl:\n- "..."\n'],
  ['=', '---\nk: "="\nl:\n- "="\n'],
  ['/etc/x', '---\nk: "/etc/x"\nl:\n- "/etc/x"\n'],
  ['~x', '---\nk: "~x"\nl:\n- "~x"\n'],
  ['1:30', "---\nk: '1:30'\nl:\n- '1:30'\n"],
  ['0x1f', "---\nk: '0x1f'\nl:\n- '0x1f'\n"],
  ['a\nb', '---\nk: |-\n  a\n  b\nl:\n- |-\n  a\n  b\n'],
  ['a\n', "---\nk: 'a\n\n  '\nl:\n- 'a\n\n  '\n"],
  ['a\n\n', '---\nk: "a\\n\\n"\nl:\n- "a\\n\\n"\n'],
  ['\na', '---\nk: |2-\n\n  a\nl:\n- |2-\n\n  a\n'],
  [' x\ny', '---\nk: |2-\n   x\n  y\nl:\n- |2-\n   x\n  y\n'],
  ['\n', '---\nk: "\\n"\nl:\n- "\\n"\n'],
  ['http://x/y?z=1', '---\nk: http://x/y?z=1\nl:\n- http://x/y?z=1\n'],
  ['$x', '---\nk: "$x"\nl:\n- "$x"\n'],
  ['(a)', '---\nk: "(a)"\nl:\n- "(a)"\n'],
  ['<a>', '---\nk: "<a>"\nl:\n- "<a>"\n'],
  [':sym', '---\nk: ":sym"\nl:\n- ":sym"\n'],
  ['1e3', '---\nk: 1e3\nl:\n- 1e3\n'],
  ['1.0e+3', "---\nk: '1.0e+3'\nl:\n- '1.0e+3'\n"],
  ['+1', '---\nk: "+1"\nl:\n- "+1"\n'],
  ['off', "---\nk: 'off'\nl:\n- 'off'\n"],
  ['ENC[PKCS7,abc]', '---\nk: ENC[PKCS7,abc]\nl:\n- ENC[PKCS7,abc]\n'],
]

describe('YAML as Ruby writes it', () => {
  it.each(texts)('%j', (text, yaml) => {
    expect(formatRubyYaml(Hash.from({ k: text, l: [text] }))).toBe(yaml)
  })

  it.each([
    [undefined, '---\n'],
    [true, '--- true\n'],
    [new Float(2), '--- 2.0\n'],
    [2n ** 70n, '--- 1180591620717411303424\n'],
    [Hash.empty, '--- {}\n'],
    [[], '--- []\n'],
    [[[1, [2]], Hash.from({ a: Hash.from({ b: 1, c: [] }) })], '---\n- - 1\n  - - 2\n- a:\n    b: 1\n    c: []\n'],
    [Hash.of([[1, undefined]]), '---\n1:\n'],
    [new Sensitive('s'), '--- Sensitive [value redacted]\n'],
  ])('%#', (value, yaml) => {
    expect(formatRubyYaml(value)).toBe(yaml)
  })
})

it('writes JSON in one line, floats as floats', () => {
  const value = Hash.of([
    ['a', [1, new Float(1), undefined, 2n ** 70n]],
    [2, 'é"'],
  ])
  expect(formatRubyJson(value)).toBe('{"a":[1,1.0,null,1180591620717411303424],"2":"é\\""}\n')
})
