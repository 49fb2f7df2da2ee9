import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { applied } from './deferred-runs.ts'

describe('Deferred values of commands', () => {
  it('are found in arrays, in commands, in names, and where children are made in the image of their folder', async () => {
    const { status, said, place } = await applied(
      'nested',
      `exec { 'words': command => ['/bin/echo', Deferred('sprintf', ['%s', 'two words'])], logoutput => true }
       exec { 'line': command => Deferred('sprintf', ['/bin/echo %s', 'hello']), logoutput => true }
       exec { '/bin/sh -c "mkdir @/tree; echo > @/tree/a"': }
       -> file { '@/tree': recurse => true, mode => Deferred('sprintf', ['%s', '0750']) }
       file { '@/by-name': path => Deferred('sprintf', ['%s', '@/named']), content => 'x' }`,
    )
    expect(status, said.join('\n')).toBe(2)
    expect(said).toContain('Notice: /Stage[main]/Main/Exec[words]/returns: two words')
    expect(said).toContain('Notice: /Stage[main]/Main/Exec[line]/returns: hello')
    expect(statSync(join(place, 'tree/a')).mode & 0o777).toBe(0o750)
    expect(readFileSync(join(place, 'named'), 'utf8')).toBe('x')
  })

  it('show nothing that is Sensitive, in what they are made of or what they give', async () => {
    const { status, said, kept } = await applied(
      'secret',
      `file { '@/a': content => Deferred('unwrap', [Sensitive('hush-one')]) }
       file { '@/b': content => Deferred('inline_epp', ['<%= $x.unwrap %>', { 'x' => Sensitive('hush-two') }]) }
       notify { 'c': message => Deferred('new', [Sensitive, 'hush-three']) }
       note { '@/d': text => Deferred('unwrap', [Sensitive('hush-four')]) }
       exec { 'e': command => Deferred('sprintf', ['/bin/false %s', Deferred('unwrap', [Sensitive('hush-five')])]) }
       notify { 'f': message => Deferred('sprintf', ['%d', Sensitive('hush-six')]) }
       notify { 'g': message => Sensitive(Deferred('sprintf', ['%s', 'hush-seven'])) }`,
      ...['--debug', '--show_diff'],
    )
    expect(status).toBe(6)
    expect(said.join('\n')).not.toContain('hush')
    expect(kept).not.toContain('hush')
  })
})
