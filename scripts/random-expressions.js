import fc from 'fast-check'

const operands = [
  ...'undef default true false 0 1 -1 7 255 9007199254740993 9223372036854775807 -9223372036854775808'.split(' '),
  ...'1.5 0.0 -2.5 1e30'.split(' '),
  ...`'' 'a' 'B' 'abc' '12' '1.5' '0x1F' '-3' 'ß' "a\\nb" /a/ /^B/ /(?i)abc/`.split(' '),
  ...`[] [1] [1,2,3] ['a','b'] [undef] [[1,2],[3]] {} {a=>1} {'b'=>undef} {1=>2} {a=>{b=>1}}`.split(' '),
  ...'Integer Integer[0,5] String String[1] Any Undef Type[Integer] Numeric Optional[String]'.split(' '),
  ...`Variant[Integer,String] Pattern[/a/] Regexp[/a/] Enum['a','b'] Array[Integer] Hash[String,Integer]`.split(' '),
  ...`Tuple[Integer,String] Struct[{a=>Integer}] Class File File['/x'] Class['a'] Callable Callable[Integer]`.split(
    ' ',
  ),
  ...'Boolean Boolean[true] Float[0.0,1.0] Iterator Iterable Default Scalar Data RichData NotUndef'.split(' '),
  ...'Collection CatalogEntry Resource Sensitive Timestamp Timespan SemVer Binary URI Init[Integer]'.split(' '),
  ...`Sensitive('a') Sensitive(1) Timestamp(0) Timestamp('2020-01-02T03:04:05.678') Timespan(90)`.split(' '),
  ...`Timespan('1-02:03:04') SemVer('1.2.3') SemVer('2.0.0-rc1') Binary('YWJj') URI('http://a/b?c#d')`.split(' '),
  `SemVerRange('>=1.0.0 <2.0.0')`,
  ...`[1,2].map|$x|{$x} [1,2,3].reverse_each [1,2].step(1) type(1) type('a') type([1,'a']) type({a=>1})`.split(' '),
]
const operators = '+ - * / % << >> == != < > <= >= =~ !~ in and or'.split(' ')
const functions =
  'String type size Integer Float Boolean Numeric flatten min max empty keys values join sort compare ' +
  'Timestamp Timespan Sensitive abs upcase unwrap Hash Tuple'

const operand = fc.constantFrom(...operands)
const operator = fc.constantFrom(...operators)

const { expression } = fc.letrec((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small' },
    { arbitrary: operand, weight: 4 },
    {
      arbitrary: fc.tuple(tie('expression'), operator, tie('expression')).map(([a, o, b]) => `(${a} ${o} ${b})`),
      weight: 5,
    },
    { arbitrary: tie('expression').map((a) => `-(${a})`), weight: 1 },
    { arbitrary: tie('expression').map((a) => `!(${a})`), weight: 1 },
    { arbitrary: tie('expression').map((a) => `[*${a}]`), weight: 1 },
    { arbitrary: fc.tuple(operand, operand).map(([a, b]) => `(${a})[${b}]`), weight: 1 },
    { arbitrary: fc.tuple(operand, operand, operand).map(([a, b, c]) => `(${a})[${b}, ${c}]`), weight: 1 },
    {
      arbitrary: fc
        .tuple(tie('expression'), operand, tie('expression'), tie('expression'))
        .map(([a, b, c, d]) => `(${a} ? { ${b} => ${c}, default => ${d} })`),
      weight: 1,
    },
    { arbitrary: tie('expression').map((a) => `"<\${[${a}]}>"`), weight: 1 },
    {
      arbitrary: fc
        .tuple(fc.constantFrom(...functions.split(' ')), tie('expression'))
        .map(([name, a]) => `${name}(${a})`),
      weight: 2,
    },
  ),
}))

const whole = fc.oneof(
  { arbitrary: fc.tuple(operand, operator, operand).map(([a, o, b]) => `${a} ${o} ${b}`), weight: 3 },
  { arbitrary: expression, weight: 4 },
)

/** Expressions of operators, accesses, selectors and functions on operands of every type: the same for a seed. */
export function randomExpressions(seed, count) {
  return [...new Set(fc.sample(whole, { seed, numRuns: count }))]
}
