import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder('own-definitions')
const environment = join(folder, 'environments/production')
const files = {
  'functions/foo.pp': "function foo() { 'foo' }",
  'functions/environment/data.pp': "function environment::data() { 'data' }",
  'functions/bar.pp': "function environment::bar() { 'bar' }",
  'functions/many.pp': 'function many() { 1 } function more() { 2 }',
  'functions/logic.pp': 'function logic() { 1 } notice(1)',
  'functions/none.pp': 'class none { }',
  'functions/blank.pp': '',
  'functions/deep/one.pp': "function deep::one() { 'one' }",
  'types/count.pp': 'type Count = Integer',
  'types/environment/size.pp': 'type Environment::Size = Integer',
  'types/etype.pp': 'type Environment::Etype = Integer',
  'modules/m/functions/other.pp': "function other() { 'other' }",
}
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(environment, path)), { recursive: true })
  writeFileSync(join(environment, path), text)
}

function notice(expression: string) {
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--certname', 'n']
  const code = `notice(${expression})`
  return runHere(['apply', '-e', code, '--environmentpath', join(folder, 'environments'), ...places])
}

// Puppet 7.23 prints these values and these errors.
describe("the environment's own functions and types", () => {
  it.each([
    ['foo()', 'foo'],
    ['environment::data()', 'data'],
    ['1 =~ Count', 'true'],
    ['1 =~ Environment::Size', 'true'],
  ])('%s is %s', async (expression, value) => {
    expect((await notice(expression)).out).toContain(`Notice: Scope(Class[main]): ${value}\n`)
  })

  const loaded = (path: string) => `The code loaded from ${join(environment, path)}`
  it.each([
    [
      'bar()',
      `${loaded('functions/bar.pp')} produced function with the wrong name, expected bar, actual environment::bar`,
    ],
    ['many()', `${loaded('functions/many.pp')} must contain only the function 'many' - it has additional definitions.`],
    ['logic()', `${loaded('functions/logic.pp')} contains additional logic - can only contain the function logic`],
    ['none()', `${loaded('functions/none.pp')} does not define the function 'none' - no function found.`],
    ['blank()', `${loaded('functions/blank.pp')} does not define the function 'blank' - it is empty.`],
    ['environment::bar()', "Unknown function: 'environment::bar'"],
    ['deep::one()', "Unknown function: 'deep::one'"],
    ['other()', "Unknown function: 'other'"],
    [
      '1 =~ Etype',
      `${loaded('types/etype.pp')} produced type with the wrong name, expected 'etype', actual 'Environment::Etype'`,
    ],
    ['1 =~ Environment::Etype', 'Resource type not found: Environment::Etype'],
  ])('%s fails', async (expression, message) => {
    const { status, err } = await notice(expression)
    expect([status, err]).toEqual([1, expect.stringContaining(message)])
  })
})
