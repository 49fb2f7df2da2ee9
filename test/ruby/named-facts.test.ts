import { describe, expect, it } from 'vitest'
import { countRecalledCalls } from '../../src/ruby/session/traced/call-memory.ts'
import { ownRuby, type RubyShare } from '../../src/ruby/worker-share.ts'
import { noticed } from './compiling.ts'

/** Whatever PLUMB_TRACES says. */
const recalling: RubyShare = { ...ownRuby, checkCallsEvery: 0 }
const without: RubyShare = { ...ownRuby, checkCallsEvery: undefined }

let count = 0
/** A function of Puppet 4's kind, whose answer is noticed. */
function fourth(code: string, before = '') {
  const name = `f${count++}`
  const text = `${before}\nPuppet::Functions.create_function(:'x::${name}') do\ndef ${name}\n${code}\nend\nend\n`
  return { files: { [`modules/x/lib/puppet/functions/x/${name}.rb`]: text }, manifest: `notice(x::${name}())` }
}

/** A function of Puppet 3's kind. */
function third(code: string) {
  const name = `t${count++}`
  const text = `module Puppet::Parser::Functions\nnewfunction(:${name}, :type => :rvalue) do |args|\n${code}\nend\nend\n`
  return { files: { [`modules/x/lib/puppet/parser/functions/${name}.rb`]: text }, manifest: `notice(${name}())` }
}

type Code = ReturnType<typeof fourth>

/** Facts that change from one run to the next, but for the family. */
const uptimes = [1, 2].map((uptime) => ({ os: { family: 'Debian', uptime }, uptime }))
const families = ['Debian', 'RedHat'].map((family) => ({ os: { family, uptime: 1 }, uptime: 1 }))

function noticedWith({ files, manifest }: Code, all: typeof uptimes, share: RubyShare): readonly string[][] {
  return all.map((facts) => noticed(files, manifest, 'named', 0, { facts, trusted: { certname: 'n1' } }, share))
}

/** Calls that were recalled, with each of the facts in turn; the answers are those of calls that nobody remembers. */
function recalled(code: Code, all: typeof uptimes): number {
  const wanted = noticedWith(code, all, without)
  const before = countRecalledCalls()
  expect(noticedWith(code, all, recalling)).toEqual(wanted)
  return countRecalledCalls() - before
}

describe('facts that code names one by one', () => {
  it.each<[string, Code]>([
    ["['facts'], and keys", fourth("closure_scope['facts']['os']['family']")],
    ['keys on lines of their own', fourth("closure_scope['facts'][\n'os'\n][\n'family'\n]")],
    ['frozen texts', fourth("closure_scope['facts']['os']['family']", '# frozen_string_literal: true')],
    ['dig', fourth("closure_scope['facts'].dig('os', 'family')")],
    ['dig behind a key', fourth("closure_scope['facts']['os'].dig('family')")],
    ['a block', fourth("[1].map { closure_scope['facts']['os']['family'] }.first")],
    [
      'an error that is rescued',
      fourth("begin\n raise 'x'\nrescue StandardError\n closure_scope['facts']['os']['family']\nend"),
    ],
    ['one that is not there', fourth("closure_scope['facts']['nobody'].inspect")],
    ['one of a text', fourth("closure_scope['facts']['os']['family']['b']")],
    ['lookupvar', third("lookupvar('facts')['os']['family']")],
    ['the scope itself', third("self['facts']['os']['family']")],
  ])('are read alone: %s', (_, code) => {
    expect(recalled(code, uptimes)).toBe(1)
    expect(recalled(code, families)).toBeLessThanOrEqual(2)
  })

  it.each<[string, Code]>([
    ['a variable that holds all', fourth("all = closure_scope['facts']\n[all['os']['family'], all['uptime']].inspect")],
    ['a method of all', fourth("closure_scope['facts'].to_a.inspect")],
    ['a key that is computed', fourth("closure_scope['facts']['UPTIME'.downcase]")],
    ['one of two hashes', fourth("(true ? closure_scope['facts'] : {})['os']['uptime']")],
    ['a name that is computed', fourth("closure_scope['FACTS'.downcase]['uptime']")],
    ['a block behind', fourth("closure_scope['facts'].sum { |name, _| name.size }")],
    ['all of a nested one', fourth("closure_scope['facts']['os'].inspect")],
  ])('are read with the others: %s', (_, code) => {
    expect(recalled(code, uptimes)).toBe(0)
  })
})
