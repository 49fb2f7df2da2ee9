import { expect, it } from 'vitest'
import { parseAndValidate } from '../../../../src/language/syntax/validation/validate.ts'

const definition = (index: number) => `
# What host ${index} is given.
class big::host_${index} (Integer[0, 65535] $port = ${index % 65_536}, Optional[String[1]] $name_${index} = undef) {
  file { "/etc/host-${index}.conf":
    ensure  => file,
    content => "port: \${port}\\nnames: \${[$name_${index}, 'b'].map |$n| { "<\${n}>" }}\\n",
    notify  => Service['host-${index}'],
  }
  -> service { 'host-${index}': ensure => $port ? { 0 => stopped, default => running } }
}
`

it('reads and checks a manifest of 5 MB', () => {
  let text = ''
  let definitions = 0
  while (text.length < 5_000_000) text += definition(definitions++)
  const { program, warnings } = parseAndValidate({ file: 'big.pp', text })
  expect(program.definitions.length).toBe(definitions)
  expect(warnings).toEqual([])
})
