import { describe, expect, it } from 'vitest'
import { formatUnknownVariableHint } from '../../../src/compiler/begin/unknown-variable.ts'

describe('the hint for an unknown variable', () => {
  it.each([
    ['operatingsystemrelease', "$facts['os']['release']['full']"],
    ['::osfamily', "$facts['os']['family']"],
    ['ipaddress_eth0', "$facts['networking']['interfaces']['eth0']['ip']"],
    ['mtu_lo', "$facts['networking']['interfaces']['lo']['mtu']"],
    ['blockdevice_sda_size', "$facts['disks']['sda']['size_bytes']"],
    ['processor0', "$facts['processors']['models'][0]"],
    ['sshrsakey', "$facts['ssh']['rsa']['key']"],
    ['memorysize_mb', "$facts['memory']['system']['total_bytes']"],
    ['interfaces', "$facts['networking']['interfaces']"],
  ])('names the structured fact in place of %s', (name, fact) => {
    const hint = formatUnknownVariableHint(name, "Did you mean '$operating'?")
    expect(hint).toContain('include_legacy_facts = true')
    expect(hint).toContain(`Use ${fact} instead.`)
  })

  it('suggests a similar name, and otherwise names the settings', () => {
    expect(formatUnknownVariableHint('prot', "Did you mean '$port'?")).toBe("Did you mean '$port'?")
    expect(formatUnknownVariableHint('my_flag', undefined)).toMatch(/strict_variables = true or strict = error/)
  })
})
