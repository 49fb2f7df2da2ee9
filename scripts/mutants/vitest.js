// One long-lived Vitest: runs the suites that its parent names and sends those that fail. Stops at the first.
import { relative, resolve } from 'node:path'
import { createVitest } from 'vitest/node'

const vitest = await createVitest('test', { watch: false, bail: 1, project: ['in-process', 'e2e'], reporters: [{}] })
const specifications = await vitest.globTestSpecifications()
/** @type {string | undefined} */
let changedBefore
process.on('message', async (/** @type {{ suites: string[], changed: string }} */ { suites, changed }) => {
  for (const file of [changed, changedBefore]) if (file !== undefined) vitest.invalidateFile(resolve(file))
  changedBefore = changed
  const paths = suites.map((suite) => resolve(suite))
  const chosen = specifications.filter(({ moduleId }) => paths.includes(moduleId))
  vitest.state.clearErrors()
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(chosen)
  // The modules of earlier runs are among them.
  const failed = testModules.filter((module) => paths.includes(module.moduleId) && module.state() === 'failed')
  process.send?.([...failed.map(({ moduleId }) => relative('', moduleId)), ...unhandledErrors.map(String)])
})
