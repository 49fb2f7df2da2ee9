import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PuppetError } from '../../../src/base/issue.ts'
import { openCommandLineCode } from '../../../src/code/environments/environment-opener.ts'
import { compile } from '../../../src/compiler/compile.ts'
import { CatalogError } from '../../../src/compiler/request/catalog-error.ts'
import type { CompileLog } from '../../../src/compiler/request/compile-request.ts'
import { createPlainNode } from '../../../src/model/node.ts'
import { buildTrustedFacts } from '../../../src/node/facts/trusted.ts'
import { openvoxAnswers } from '../../support/openvox.ts'
import { plainRequest } from '../../support/plain-request.js'
import { recordedAnswers } from '../../support/recorded-answers.ts'

/** Manifests by what they are about. */
const manifests: Readonly<Record<string, string>> = {
  'an unknown variable is an error': 'notice($nosuch)',
  'an unknown variable of a class is an error': 'class a { } include a\nnotice($a::nosuch)',
  'a number of a group outside of a match': 'notice($1)',
  'a number with a leading zero is octal': 'notice(0755)',
  'a number that is not octal': 'notice(089)',
  'text is not converted to a number silently': "notice('1' + 1)",
  'a hash key twice': "notice({'a' => 1, 'a' => 2})",
  'a class whose title is no name': "class { '1x': }",
  'a resource twice': "notify { 'a': } notify { 'a': }",
  'an unknown type': "nosuch { 'a': }",
  'an unknown attribute': "notify { 'a': nosuch => 1 }",
  'an unknown function': 'nosuch(1)',
  'a class of a parameter of the wrong type': "class a(Integer $x) { } class { 'a': x => 'b' }",
  'a class without a parameter': 'class a($x) { } include a',
  create_resources: "create_resources('notify', { 'a' => { 'message' => 'b' } })\nnotice(defined(Notify['a']))",
  'the removed function import': "import 'x.pp'",
  'an empty match of a node name': 'node /^nosuch$/ { notice(1) } node default { notice(2) }',
  'a node of a regular expression': 'node /^test\\.(example)/ { notice($1) } node default { notice(2) }',
  'a node of a regular expression with a group that looks ahead':
    "node /^(?!db).*\\.com$/ { notice('web') } node /^(?=db)/ { notice('db') } node default { notice('none') }",
  'nodes of two expressions that differ in their signs':
    'node /^a(?=b)/ { notice(1) } node /^a(?!b)/ { notice(2) } node /^test(?<!x)/ { notice(3) }',
  'regsubst of Sensitive text':
    "notice(regsubst(Sensitive('abc'), 'b', 'x'))\nnotice(regsubst(Sensitive('abc'), 'b', 'x').unwrap)",
  'regsubst of Sensitive text by a regular expression': "notice(regsubst(Sensitive('abcabc'), /b/, 'x', 'G').unwrap)",
  'regsubst of an array with Sensitive text':
    "notice(regsubst(['ab', Sensitive('bb')], 'b', 'x', 'G').map |$x| { $x =~ Sensitive })",
  'regsubst of a Sensitive number': "notice(regsubst(Sensitive(1), 'b', 'x'))",
  'split of Sensitive text': "notice(split(Sensitive('a,b'), ','))\nnotice(split(Sensitive('a,b'), /,/).unwrap)",
  'split of Sensitive text by a type': "notice(split(Sensitive('a,b'), Regexp[/,/]).unwrap)",
  'split of a Sensitive number': "notice(split(Sensitive(1), ','))",
  'max of versions': "notice(max(SemVer('1.2.0'), SemVer('1.10.0'), SemVer('1.9.9')))",
  'min of versions in an array': "notice(min([SemVer('1.2.0'), SemVer('1.10.0')]))",
  'max of times': 'notice(max(Timestamp(5), Timestamp(70)))',
  'min of durations': "notice(min(Timespan('1-00:00:00'), Timespan(5), Timespan(7)))",
  'max of durations in an array with a block': 'notice(max([Timespan(5), Timespan(70)]) |$a, $b| { compare($b, $a) })',
  'max of nothing': 'notice(max())',
  'max of a version and a number': "notice(max(SemVer('1.2.0'), 2))",
  'a legacy fact is unknown': 'notice($osfamily)',
  'structured facts': "notice($facts['os']['family'])",
  'assignment to a fact': '$facts = 1',
  'assignment to a top-scope variable of a node': '$server_facts = 1',
  'variables of the server': 'notice($server_facts =~ Hash)',
  'lookup without a value': "notice(lookup('nosuch'))",
  'hiera is deprecated': "notice(hiera('nosuch', 'standard'))",
  'a virtual resource': "@notify { 'a': } realize(Notify['a'])\nnotice(defined(Notify['a']))",
  'conversion of text with strict': "notice(Integer('0x1F', 16), Numeric('1_000'))",
  'a name with capitals': '$Abc = 1',
  'a bare word with a dash': 'notice(a-b)',
  'unless and elsif': 'unless true { } elsif true { }',
  'a collector of a class': 'class a { } Class<| |>',
  'application orchestration is gone': 'application a { }',
  'site is a name': 'site { }',
  'a plan is no part of a catalog': 'plan a() { }',
  'Deferred in a message': "notify { 'a': message => Deferred('upcase', ['x']) }\nnotice(1)",
  'a name that is reserved': 'class private { }\nnotice(1)',
  'a type of a package with an environment': "package { 'x': environment => ['A=b'] }\nnotice(2)",
  'a file by etag': "file { '/x': source => 'https://example.com/x', checksum => etag }\nnotice(3)",
  'strftime of a time': "notice(strftime(Timestamp('2020-01-02T03:04:05 UTC'), '%F %T'))",
  'flatten, unique and group_by': 'notice(flatten([1, [2]]), unique([1, 1]), [1, 2].group_by |$x| { $x % 2 })',
  'then and dig': "notice({a => [1, {b => 2}]}.dig('a', 1, 'b').then |$x| { $x + 1 })",
  'types of data': "notice(type(1), type('a'), type([1, 'b']), type({a => 1}))",
  'call with a wrong number': 'notice(upcase())',
  'an error of a statement of no value': '1 + 1\nnotice(1)',
  'a string in a condition': "if '' { notice(1) } else { notice(2) }",
}

const recorded = recordedAnswers(import.meta.filename, 'OpenVox 8.28.1 and 9.0.0-beta2')
const facts = { os: { family: 'Debian' } }
const strictnesses = [
  ['error', true],
  ['warning', false],
] as const

type Said = Readonly<Record<string, readonly string[]>>

/**
 * A message without the name of the program and the address of its documentation; a warning also without its place,
 * which OpenVox adds when it prints a warning.
 */
const plain = (text: string) =>
  text
    .replace(/this version of OpenVox/, 'this version of Puppet')
    .replace(/See https:\S+/, 'See …')
    .replace(/^(warning: .*?)\s*\((?:file|line)[^()]*\)$/s, '$1')

function askOpenvox(strict: string, strictVariables: boolean): Said {
  const input = Object.values(manifests)
    .map((manifest) => `${JSON.stringify({ manifest, strict, strict_variables: strictVariables, facts })}\n`)
    .join('')
  const script = resolve(import.meta.dirname, '../../oracle/evaluate.rb')
  const { stdout, stderr, status } = spawnSync('ruby', [script], { input, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status !== 0) throw new Error(stderr)
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { logs: readonly (readonly [string, string])[]; error?: string })
  return Object.fromEntries(
    Object.keys(manifests).map((title, index) => {
      const { logs, error } = answers[index]!
      const lines = logs.filter(([level]) => level !== 'err').map(([level, text]) => `${level}: ${text}`)
      return [title, [...lines, ...(error === undefined ? [] : [`error: ${error}`])].map(plain)]
    }),
  )
}

function compileHere(manifest: string, strict: 'error' | 'warning', strictVariables: boolean): readonly string[] {
  const environment = openCommandLineCode({ name: 'production', modulepath: [], manifest: { text: manifest } })
  const print = (logs: readonly CompileLog[]) =>
    logs
      .filter(({ level }) => ['notice', 'warning'].includes(level))
      .map(({ level, message }) => plain(`${level}: ${message}`))
  try {
    const { logs } = compile(
      plainRequest(environment, {
        node: createPlainNode('test.example.com', 'production'),
        facts,
        trusted: buildTrustedFacts({ authenticated: 'local', certname: undefined }),
        strict,
        strictVariables,
      }),
    )
    return print(logs)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const before = error instanceof CatalogError ? error.logs : []
    return [...print(before), plain(`error: ${error.message.replace(/ on node test\.example\.com$/, '')}`)]
  }
}

for (const version of ['OpenVox 8.28.1', 'OpenVox 9.0.0-beta2'] as const)
  for (const [strict, strictVariables] of strictnesses) {
    const title = `${version}, strict = ${strict}`
    describe(title, () => {
      const answers = openvoxAnswers(import.meta.filename, version, recorded).one(
        title,
        { manifests, facts },
        (): Said => askOpenvox(strict, strictVariables),
      )
      it.each(Object.entries(manifests))('%s', (name, manifest) => {
        expect(compileHere(manifest, strict, strictVariables)).toEqual(answers[name])
      })
    })
  }
