import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { plumb } from '../../support/plumb.ts'
import { writeCode } from '../../workbench/code-checks/check-files.ts'

it('plumb lint --semantic reports problems of a control repository', async () => {
  const root = writeCode({
    'environment.conf': 'modulepath = site\n',
    'site/role/manifests/init.pp': '# A.\nclass role {\n  include role::web\n}\n',
  })
  writeFileSync(join(root, 'rc'), '--semantic\n')
  const { exitCode, stdout } = await plumb(['lint', '--config', join(root, 'rc'), join(root, 'site')])
  expect(stdout).toBe(`ERROR: unknown class 'role::web' on line 3 (check: unknown_class)`)
  expect(exitCode).toBe(1)
})
