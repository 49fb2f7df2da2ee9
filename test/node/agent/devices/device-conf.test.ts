import { describe, expect, it } from 'vitest'
import { parseDeviceConf } from '../../../../src/node/agent/devices/device-conf.ts'

const read = (text: string) => [...parseDeviceConf({ file: 'device.conf', text }).values()]

describe('device.conf', () => {
  it('has a section for each device', () => {
    const text = '# all\n[a.test]\ntype rack\n  url file:///a b\n'.replace('a b', 'a')
    expect(read(`${text}debug\n\n[__proto__]\n type  my transport\nurl ssh://u:p@h/\n`)).toEqual([
      { name: 'a.test', type: 'rack', url: 'file:///a', debug: true },
      { name: '__proto__', type: 'my transport', url: 'ssh://u:p@h/', debug: false },
    ])
  })

  it.each([
    ['a device twice', '[a]\ntype x\nurl y:\n[a]\n', 'Duplicate device found at (line: 4), already found at (line: 1)'],
    ['a word that is none', '[a]\nport 5\n', 'Invalid entry at (line: 2): port 5'],
    ['words before any device', 'type x\n', 'Invalid entry at (line: 1): type x'],
    ['a name that leads elsewhere', '[a/../b]\n', 'Invalid entry at (line: 1): [a/../b]'],
    ['folders in place of a name', '[..]\ntype x\nurl y:\n', 'Invalid entry at (line: 1): [..]'],
    ['a URL that is none', '[a]\ntype x\nurl a b\n', 'a b is an invalid url'],
    ['a device without a URL', '[a]\ntype x\n', 'The device a has no url'],
    ['a device without a type', '[a]\nurl y:\n', 'The device a has no type'],
  ])('refuses %s', (_, text, message) => {
    expect(() => read(text)).toThrow(message)
  })
})
