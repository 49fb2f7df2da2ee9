import { toPrintable } from '../../base/text/printable.ts'
import { isGateSkipped, skipGate } from '../../deploy/push-options.ts'
import { checkPushQuality, listCheckedBranches } from '../../deploy/quality/push-quality.ts'
import { type QualityReport, reportQuality } from '../../deploy/quality/quality-output.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Io } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import type { GatedPush } from './gate-decision.ts'

/** Checks the manifests that a push changes with the linter and the formatter, and prints the problems. */
export async function testPushQuality(
  { source, deployments, pushed, naming, isHook }: GatedPush,
  settings: Settings,
  { io, isQuiet }: { readonly io: Io; readonly isQuiet: boolean },
): Promise<QualityReport> {
  const order = { source, pushed, naming, settings, deployed: deployments.deployed }
  // The gate rejects the push option if it is not allowed.
  if (isHook && isGateSkipped(process.env) && settings.gate_skip) return reportSkipped(order, io)
  const report = reportQuality(await checkPushQuality(order))
  if (isQuiet) return report
  for (const line of report.lines) io.err(`${toPrintable(line)}\n`)
  for (const { level, text, hint } of report.messages) printMessage(level, text, io, hint)
  return report
}

function reportSkipped(order: Parameters<typeof listCheckedBranches>[0], io: Io): QualityReport {
  const modes = listCheckedBranches(order).map((each) => each.modes)
  const isEnabled = (tool: 'lint' | 'format') => modes.some((each) => each[tool] !== 'off')
  if (modes.length > 0)
    printMessage('Warning', `The manifests were not linted and formatted (push option ${skipGate})`, io)
  return {
    ...reportQuality([]),
    decisions: { ...(isEnabled('lint') && { lint: 'skipped' }), ...(isEnabled('format') && { format: 'skipped' }) },
  }
}
