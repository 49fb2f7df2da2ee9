import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatQuantity } from '../../base/text/quantity.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { runInterruptibly } from '../../machine/system/interruption.ts'
import {
  groupSurvey,
  listModuleClasses,
  type SurveyedSystem,
  type SurveyResult,
  surveyClasses,
} from '../../workbench/manifest-tests/class-survey.ts'
import { findTestRoot, openTestCode } from '../../workbench/manifest-tests/test-code.ts'
import { createSystemNode } from '../../workbench/manifest-tests/test-node.ts'
import { openFacterDb } from '../../workbench/systems/facterdb.ts'
import { type SupportedSystem, selectSystems } from '../../workbench/systems/supported-systems.ts'
import type { Io } from '../command/command.ts'
import { createProgressCounter } from '../fleet/fleet.ts'
import { listKnownNodes } from '../input/environment-nodes.ts'
import { readStoredFacts } from '../input/node-facts.ts'
import { createTestRequest } from './test-request.ts'

const issues = defineIssues({
  NO_CLASSES: {
    text: (a: { root: string }) => `No classes found in ${a.root}/manifests`,
    hint: () => 'Run the command in a module.',
  },
})

/** Options of a survey. */
export interface SurveyOptions {
  readonly gemFolders: readonly string[]
  readonly asJson: boolean
}

/**
 * Compiles each class of a module with the facts of all systems in FacterDB and of all nodes in the store. Prints the
 * failures with their systems. Returns 1 for failures on nodes and supported systems, otherwise 0.
 */
export async function runFleetSurvey(
  path: string,
  { gemFolders, asJson }: SurveyOptions,
  settings: Settings,
  io: Io,
): Promise<number> {
  const survey = await surveyModule(path, { gemFolders, isFleet: true }, settings, io)
  if (typeof survey === 'number') return survey
  const { failures, ...counts } = survey
  io.out(asJson ? `${JSON.stringify({ ...counts, failures }, null, 2)}\n` : formatSurvey(failures, counts))
  return failures.some(({ isSupported }) => isSupported) ? 1 : 0
}

/** The result of a survey: numbers of classes and systems, and the failures. */
export interface ModuleSurvey {
  readonly classes: number
  readonly systems: number
  readonly failures: ReturnType<typeof groupSurvey>
}

/**
 * Compiles each class of a module with the facts of the supported systems in FacterDB; for a fleet, of all systems and of all
 * nodes in the store. Returns an exit status if a signal ended the survey. Throws NO_CLASSES.
 */
export async function surveyModule(
  path: string,
  { gemFolders, isFleet }: Pick<SurveyOptions, 'gemFolders'> & { readonly isFleet: boolean },
  settings: Settings,
  io: Io,
): Promise<ModuleSurvey | number> {
  return runInterruptibly((signal) => runSurvey(path, { gemFolders, isFleet, signal }, settings, io))
}

async function runSurvey(
  path: string,
  { gemFolders, isFleet, signal }: Parameters<typeof surveyModule>[1] & { readonly signal: AbortSignal },
  settings: Settings,
  io: Io,
): Promise<ModuleSurvey> {
  const root = findTestRoot(resolve(path, 'metadata.json'))
  const classes = listModuleClasses(root)
  if (classes.length === 0) throwIssue(issues.NO_CLASSES, { root })
  const code = await openTestCode(root, settings.modulepath, settings)
  const known = listSystems(gemFolders, code.supported)
  const systems = isFleet ? [...known, ...(await listNodes(settings))] : known.filter((each) => each.isSupported)
  const results: SurveyResult[] = []
  const progress = createProgressCounter(systems.length, io)
  try {
    for await (const result of surveyClasses(code, classes, systems, createTestRequest(settings))) {
      results.push(result)
      progress.done(result.system)
      // Lets handlers of signals run.
      await setImmediate()
      signal.throwIfAborted()
    }
  } finally {
    progress.clear()
    code.close()
  }
  return { classes: classes.length, systems: systems.length, failures: groupSurvey(results) }
}

function listSystems(
  gemFolders: readonly string[],
  supported: readonly SupportedSystem[] = [],
): readonly SurveyedSystem[] {
  const db = openFacterDb(gemFolders)
  const own = new Set(selectSystems(supported, db.names))
  return db.names.map((name) => ({
    name,
    isSupported: own.has(name),
    readNode: async () => createSystemNode(db.readFacts(name)),
  }))
}

async function listNodes(settings: Settings): Promise<readonly SurveyedSystem[]> {
  const names = await listKnownNodes(settings)
  return names.map((name) => ({
    name,
    isSupported: true,
    readNode: async () => ({ certname: name, facts: await readStoredFacts(name, settings), trusted: {} }),
  }))
}

/** Largest number of systems that a failure names. */
const shownSystems = 8

function formatSurvey(
  failures: ReturnType<typeof groupSurvey>,
  { classes, systems }: { readonly classes: number; readonly systems: number },
): string {
  const texts = failures.map(({ class: name, isSupported, systems: failed, message, file, line }) => {
    const label = isSupported ? '' : ' (not supported)'
    const more = failed.length > shownSystems ? `, … (${failed.length} in total)` : ''
    const place = file === undefined ? '' : `\n    # ${file}${line === undefined ? '' : `:${line}`}`
    return `${name}${label} on ${failed.slice(0, shownSystems).join(', ')}${more}\n    ${message}${place}\n`
  })
  const failed = new Set(failures.flatMap((each) => (each.isSupported ? [each.class] : []))).size
  const summary = `${classes} ${classes === 1 ? 'class' : 'classes'} on ${formatQuantity(systems, 'system')}: ${failed} fail on nodes or supported systems`
  return `${texts.join('\n')}${texts.length > 0 ? '\n' : ''}${summary}\n`
}
