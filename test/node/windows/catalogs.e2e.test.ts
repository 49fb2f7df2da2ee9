import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PuppetError } from '../../../src/base/issue.ts'
import type { ExactJson } from '../../../src/base/json/exact-json.ts'
import { openCommandLineCode } from '../../../src/code/environments/environment-opener.ts'
import { compile } from '../../../src/compiler/compile.ts'
import { catalogToWire } from '../../../src/model/catalog-wire.ts'
import { createPlainNode } from '../../../src/model/node.ts'
import { buildTrustedFacts } from '../../../src/node/facts/trusted.ts'
import { knownSystems } from '../../compiler/systems/known-systems.ts'
import { caseFiles, readSharedFiles, readSystemCases, writeFiles } from '../../compiler/systems/system-cases.ts'
import { without } from '../../support/needs.ts'
import { plainRequest } from '../../support/plain-request.js'
import { plumbMain } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { onDriveZ, startWindows, type WindowsMachine, windowsFolder } from '../../support/windows/wine.ts'

const missing = without('Windows (Wine)')
const certname = 'node.example.test'

/** Errors that Puppet gives for these catalogs too, on a machine without the sources, and types of modules without code. */
const expected: readonly RegExp[] = [
  /Duplicate declaration: File|Cannot alias (?:File|Package)\[/,
  /File paths must be fully qualified, not '(?:C:|D:|a\\b|file:\/\/\/C:\/a|\/opt\/a)'/,
  /Found 1 dependency cycle|One or more resource dependency cycles detected/,
  /Could not retrieve information from environment production source\(s\) (?:file:\/\/(?:\/[DE]:|host\/share)|puppet:\/\/\/modules\/win\/(?:site|app\.exe)$)/,
  /Copying owner\/mode\/group from the source file on Windows is not supported/,
  /Checksum value 'ab12' is not a valid checksum type sha256/,
  /The file mode specification must be a string, not 'Integer'/,
  /Resource type '\w+' was not found|Could not find resource type 'registry_key'/,
  /Invalid (?:exec provider 'powershell'|package provider 'chocolatey')/,
  // Programs, services and accounts that this machine does not have.
  /Could not find command 'C:\\bin\\test\.exe'/,
  /Cannot get start type (?:W32Time|App), error was: Service query failed/,
  /Puppet is not able to create\/delete domain user objects with the user resource/,
  /Provider chocolatey is not functional on this host/,
  // Values that the module registry rejects.
  /Duplicate declaration: Registry_key\[hklm\\software\\app\] is already declared/,
  /An array registry value can not contain empty values/,
  /Invalid value "wrong"\. Valid values are string, array, dword, qword, binary, expand\./,
  // Values that the module acl rejects, and the folder of one, which this machine does not have.
  /Value for permissions should be an array with at least one element specified|Invalid value "mask"\. Valid values are full,/,
  /Failed to open handle to 'C:\\App': {2}The system cannot find the file specified/,
  // The PowerShell of Wine answers nothing.
  /Could not read accounts: PowerShell gave no answer \(status 0\)/,
  // Values that the module scheduled_task rejects.
  /Must specify 'start_time' when defining a trigger|specifies a path including subfolders and a compatibility of 1/,
]

describe.skipIf(missing)(`catalogs of the compiler's cases, applied on Windows${missing}`, () => {
  let windows: WindowsMachine
  beforeAll(async () => {
    windows = await startWindows()
  })
  afterAll(() => windows?.stop())

  it('applies each with noop, without an error of its own', async () => {
    const folder = scratchFolder('catalogs')
    writeFiles(folder, readSharedFiles())
    const catalogs: unknown[] = []
    const cases = caseFiles.flatMap(readSystemCases).filter(({ system }) => system.startsWith('windows-'))
    for (const { title, system, manifest } of cases) {
      const hiera = join(folder, 'hiera.yaml')
      const modulepath = [join(folder, 'modules')]
      const code = openCommandLineCode({ name: 'production', modulepath, manifest: { text: manifest }, hiera })
      const facts = knownSystems[system] as Record<string, ExactJson>
      const trusted = buildTrustedFacts({ authenticated: 'local', certname })
      const node = createPlainNode(certname, 'production')
      try {
        const { catalog } = compile(plainRequest(code, { node, facts, trusted }))
        catalogs.push({ title, facts, catalog: catalogToWire(catalog, { richData: true }) })
      } catch (error) {
        if (!(error instanceof PuppetError)) throw error
      }
    }
    const [input, output] = [join(folder, 'input.json'), join(folder, 'output.json')]
    writeFileSync(input, JSON.stringify(catalogs))
    const script = onDriveZ(join(import.meta.dirname, 'apply-catalogs.js'))
    const words = [
      script,
      onDriveZ(dirname(plumbMain)),
      onDriveZ(join(folder, 'modules')),
      onDriveZ(input),
      onDriveZ(output),
    ]
    expect(await windows.run([join(windowsFolder, 'node.exe'), ...words])).toMatchObject({ exitCode: 0, stderr: '' })
    const results = JSON.parse(readFileSync(output, 'utf8')) as Readonly<Record<string, readonly string[]>>
    const failures = Object.entries(results).flatMap(([title, errors]) =>
      errors.filter((error) => !expected.some((pattern) => pattern.test(error))).map((error) => `${title}: ${error}`),
    )
    expect(Object.keys(results).length).toBeGreaterThan(150)
    expect(failures).toEqual([])
  })
})
