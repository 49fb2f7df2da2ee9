import { describe, expect, it } from 'vitest'
import { parseFileserverConf } from '../../../src/code/environments/mounts/fileserver-conf.ts'

const read = (text: string) => parseFileserverConf(text, '/etc/f.conf')

describe('fileserver.conf', () => {
  it('names mounts', () => {
    const text = `# Files of ours
[ours]
  path /srv/files   # of all

  allow *
[per-node]
path /srv/%H/a b
`
    expect(read(text)).toEqual({
      mounts: [
        { name: 'ours', path: '/srv/files' },
        { name: 'per-node', path: '/srv/%H/a b' },
      ],
      complaints: [],
    })
  })

  it.each([
    ['allow *.test', "Entry '  allow *.test' is unsupported and will be ignored at (file: /etc/f.conf, line: 3)"],
    ['deny *', "Entry '  deny *' is unsupported and will be ignored at (file: /etc/f.conf, line: 3)"],
    ['deny \u001b[31m', expect.not.stringContaining('\u001b')],
  ])('passes over %j', (line, message) => {
    expect(read(`[a]\npath /srv\n  ${line}\n`)).toEqual({
      mounts: [{ name: 'a', path: '/srv' }],
      complaints: [{ level: 'error', message }],
    })
  })

  it('has no paths for the mounts that every server has', () => {
    expect(read('[modules]\npath /srv\n[plugins]\nallow *\n[pluginfacts]\n')).toEqual({
      mounts: [],
      complaints: [{ level: 'warn', message: "The 'modules' module can not have a path. Ignoring attempt to set it" }],
    })
  })

  it.each([
    ['[a]\npath = /srv', "Fileserver configuration file does not use '=' as a separator"],
    ['[a]\nuri /srv', "Invalid argument 'uri' at (file: /etc/f.conf, line: 2)"],
    ['[a]\nnothing', "Invalid entry at (file: /etc/f.conf, line: 2): 'nothing'"],
    ['path /srv', "Invalid entry at (file: /etc/f.conf, line: 1): 'path /srv'"],
    ['[a]\npath /srv\n[a]', 'mount[a] is already mounted at a at (file: /etc/f.conf, line: 3)'],
    ['[a]\n[b]\npath /srv', 'Mounts without paths are not usable'],
  ])('refuses all of %j', (text, message) => {
    expect(() => read(text)).toThrow(message)
  })
})
