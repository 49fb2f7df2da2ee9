import { execaSync } from 'execa'
import { afterAll, describe, expect, it } from 'vitest'
import { NodeRuby } from '../../src/ruby/node/node-ruby.ts'
import { createRubySandbox } from '../../src/ruby/ruby-sandbox.ts'
import { ownRuby } from '../../src/ruby/worker-share.ts'
import { type Chance, chanceOf, chosen } from '../support/chance.js'
import { recordedAnswers } from '../support/recorded-answers.ts'

const ruby = recordedAnswers(import.meta.filename, 'Ruby 3.1.2, bigdecimal 3.1.1')

/** Expressions about errors, formats and special values. */
const fixed =
  `BigDecimal('x')|BigDecimal('1x')|BigDecimal('')|BigDecimal(' 1_000.5 ')|BigDecimal(nil)|BigDecimal(1.1)|BigDecimal(1.1, 0)
BigDecimal(1.1, 3)|BigDecimal(1r/3)|BigDecimal(1r/3, 5)|BigDecimal(Object)|BigDecimal('x', exception: false)|BigDecimal('1', -1)
BigDecimal(1.0/3, 17)|BigDecimal('0x1')|BigDecimal('1e')|BigDecimal('1.')|BigDecimal('.5')|BigDecimal('1__0')|BigDecimal('1d3')
BigDecimal('-inf')|BigDecimal('1')+nil|BigDecimal('1')+'1'|BigDecimal('1')<'1'|BigDecimal('1')==nil|BigDecimal('1').div(0)
BigDecimal('NaN').to_i|BigDecimal('Infinity').to_r|BigDecimal('NaN').round|BigDecimal('1.5').round(0, :foo)|BigDecimal('2.5').round(half: :even)
BigDecimal('15').round(-1)|BigDecimal('15').round(0, :up)|BigDecimal('1234567.891').to_s('3F')|BigDecimal('1234567.891').to_s('+F')
BigDecimal('1234567.891').to_s(' 5E')|BigDecimal('-0').to_s('F')|BigDecimal('1234567.891').to_s(2)|BigDecimal('NaN').to_s
1+BigDecimal('2')|1.5+BigDecimal('2')|(1r/3)+BigDecimal('2')|2.0 == BigDecimal('2')|1 <=> BigDecimal('2')|BigDecimal('3').coerce(1.5)
BigDecimal('0')**-1|BigDecimal('-123.456').split|BigDecimal('-0').sign|BigDecimal('Infinity').sign|{BigDecimal('1')=>1}[BigDecimal('1.0')]
BigDecimal('1').frozen?|BigDecimal('-1').sqrt(2)|1.5.to_d|0.1.to_d|(1.0/3).to_d|1.23456.to_d(3)|'1.5x'.to_d|''.to_d|'abc'.to_d|5.to_d
(1r/3).to_d(4)|(1r/3).to_d|BigDecimal('1.50').to_digits|nil.to_d|BigDecimal('1e400').to_f|BigDecimal('1e-400').to_f|BigDecimal('Infinity')-BigDecimal('Infinity')
BigDecimal('Infinity')*0|BigDecimal('NaN')==BigDecimal('NaN')|BigDecimal('1')/0|BigDecimal('0')/0|Integer(BigDecimal('1.5'))|Float(BigDecimal('1.5'))
BigDecimal.interpret_loosely('1.2x')|BigDecimal('7').modulo(0)|BigDecimal('0').nonzero?|Marshal.load(Marshal.dump(BigDecimal('1.5')))
BigDecimal.save_rounding_mode { BigDecimal.mode(BigDecimal::ROUND_MODE, :up); BigDecimal('1.1').round }|BigDecimal('2').power(3, 1)|BigDecimal::NAN.nan?
[BigDecimal('3'), BigDecimal('1')].sort|[BigDecimal('1.5'), 2].sum|BigDecimal('1').is_a?(Numeric)|format('%.2f', BigDecimal('1.005'))`.split(
    /[|\n]/,
  )

/** A number of random size; words of nine digits have a boundary in the gem's own format. */
function randomNumber(chance: Chance, isPlain = false): string {
  const digits = Array.from({ length: 1 + chance(chosen([3, 12, 30], chance)!) }, () => chance(10)).join('')
  const at = chance(digits.length + 1)
  const plain = chosen(
    [
      digits,
      `${digits.slice(0, at) || '0'}.${digits.slice(at) || '0'}`,
      isPlain ? digits : `${digits}e${chance(40) - 20}`,
    ],
    chance,
  )
  return `BigDecimal('${chance(2) === 0 ? '' : '-'}${plain}')`
}

function randomExpression(chance: Chance): string {
  const [one, two] = [randomNumber(chance), randomNumber(chance)]
  // The gem loses digits of rests where the numbers have very different sizes.
  const [plain, short] = [randomNumber(chance, true), `BigDecimal('${1 + chance(1000)}.${chance(100)}')`]
  const mode = chosen(['up', 'down', 'half_up', 'half_down', 'half_even', 'ceiling', 'floor'], chance)
  return chosen(
    [
      ...['+', '-', '*', '<=>', '=='].map((operator) => `${one} ${operator} ${two}`),
      // The number of further digits depends on the memory of the gem.
      `(${one} / ${two}).mult(1, 20)`,
      `${plain} % ${short}`,
      `${one}.div(${two})`,
      `${one}.div(${two}, ${1 + chance(30)})`,
      `${plain}.divmod(${short})`,
      `${plain}.remainder(${short})`,
      `${one} ** ${chance(6)}`,
      `${plain}.round(${chance(25)}, :${mode})`,
      `${one}.${chosen(['floor', 'ceil', 'truncate'], chance)}(${chance(20) - 5})`,
      `${one}.${chosen(['round', 'floor', 'ceil', 'truncate', 'to_i', 'to_f', 'to_r', 'fix', 'frac', 'abs'], chance)}`,
      `${one}.${chosen(['exponent', 'precision', 'scale', 'n_significant_digits', 'split', 'sign', '-@'], chance)}`,
      `${one}.to_s('${chosen(['', '+', ' '], chance)}${chosen(['', '3', '5'], chance)}${chosen(['F', 'E', ''], chance)}')`,
      `${one}.${chosen(['add', 'sub', 'mult'], chance)}(${two}, ${chance(20)})`,
      `${one} + ${chance(1000)}.${chance(1000)}`,
      `${chance(1000)} * ${one}`,
    ],
    chance,
  )!
}

const chance = chanceOf(20261129)
const expressions = [...fixed, ...Array.from({ length: 3000 }, () => randomExpression(chance))]

/** Ruby code that evaluates expressions, and returns their values or errors as texts. */
const evaluating = (list: readonly string[]) => `require 'bigdecimal'; require 'bigdecimal/util'
JSON.parse(${JSON.stringify(JSON.stringify(list)).replaceAll('#', '\\#')}).map do |code|
  eval(code).inspect
rescue StandardError => error
  "#{error.class}: #{error.message}"
end`

function askRuby(): readonly string[] {
  const input = `require 'json'; $stdout.write(JSON.generate((${evaluating(expressions)})))`
  return JSON.parse(execaSync('ruby', ['-'], { input }).stdout) as string[]
}

const pair = (values: readonly unknown[]) => values.map((value, at) => `${expressions[at]} => ${String(value)}`)

describe('BigDecimal', () => {
  const node = new NodeRuby(
    { root: '', settings: {}, facts: {}, loadPath: [], env: {}, cwd: '/', debug: false },
    () => {},
  )
  afterAll(() => node.close())
  const real = ruby.one('values', expressions, askRuby)

  it('has the values of the gem during compilation', () => {
    const [, ...values] = createRubySandbox(ownRuby.image(), {}).call(
      'evaluate',
      [evaluating(expressions), '/t.rb'],
      () => null,
    ) as unknown[]
    expect(pair(values)).toEqual(pair(real))
  })

  it('is there on a node', async () => {
    const text = evaluating(['BigDecimal(1)/3', "gem('bigdecimal')"])
    expect(await node.call('evaluate', [text, '/t.rb'])).toEqual(['0.333333333333333333333333333333333333e0', 'false'])
  })
})
