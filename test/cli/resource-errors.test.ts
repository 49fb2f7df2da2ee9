import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder('resource-errors')
const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--noop']

describe('plumb resource with an invalid value', () => {
  // Each row is what `puppet resource` of Puppet 7.23 prints after `Error: Could not run: `.
  it.each<readonly [words: string, error: string]>([
    ['file /tmp/x mode=xyz', 'Parameter mode failed on File[/tmp/x]: The file mode specification is invalid: "xyz"'],
    [
      'file tmp/x ensure=present',
      "Parameter path failed on File[tmp/x]: File paths must be fully qualified, not 'tmp/x'",
    ],
    [
      'file /tmp/x content=a source=/b',
      'Validation of File[/tmp/x] failed: You cannot specify more than one of content, source, target',
    ],
    ['user bob nosuch=1', "no parameter named 'nosuch'"],
    ['group g gid=x', 'Parameter gid failed on Group[g]: Invalid GID x'],
    [
      'service s ensure=maybe',
      'Parameter ensure failed on Service[s]: Invalid value "maybe". Valid values are stopped, running.',
    ],
    ['host h ip=nonsense', 'Parameter ip failed on Host[h]: Invalid IP address "nonsense"'],
    [
      'exec e command=ls',
      "Validation of Exec[e] failed: 'ls' is not qualified and no path was specified. Please qualify the command or specify a path.",
    ],
    [
      'notify n loglevel=loud',
      'Parameter loglevel failed on Notify[n]: Invalid value "loud". Valid values are debug, info, notice, warning, err, alert, emerg, crit, verbose.',
    ],
    [
      'mount /x ensure=nosuch',
      'Parameter ensure failed on Mount[/x]: Invalid value "nosuch". Valid values are defined, unmounted, absent, mounted.',
    ],
    ['user bob ensure', 'Invalid parameter setting ensure'],
    ['nosuchtype x ensure=present', 'Could not find type nosuchtype'],
  ])('%s', async (words, error) => {
    const { status, err } = await runHere(['resource', ...words.split(' '), ...places])
    expect([status, err]).toEqual([1, `Error: Could not run: ${error}\n`])
  })
})
