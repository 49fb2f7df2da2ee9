import type { CompileProfile, MeasuredWork } from '../../../compiler/profile/compile-profile.ts'
import { version } from '../../command/version.ts'

/**
 * Formats a profile for https://www.speedscope.app, as an evented profile.
 * Format: https://www.speedscope.app/file-format-schema.json
 */
export function formatSpeedscope({ events }: Pick<CompileProfile, 'events'>, title: string): string {
  const start = events[0]?.at ?? 0
  const frames = new Map<MeasuredWork, number>()
  const open: number[] = []
  const written = events.map(({ begins, at }) => {
    if (!begins) return { type: 'C', frame: open.pop()!, at: at - start }
    const frame = frames.get(begins) ?? frames.size
    frames.set(begins, frame)
    open.push(frame)
    return { type: 'O', frame, at: at - start }
  })
  const profile = {
    type: 'evented',
    name: title,
    unit: 'milliseconds',
    startValue: 0,
    endValue: (events.at(-1)?.at ?? 0) - start,
    events: written,
  }
  return `${JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    name: title,
    exporter: `plumb@${version}`,
    activeProfileIndex: 0,
    shared: { frames: Array.from(frames.keys(), ({ kind, name }) => ({ name: `${kind} ${name}` })) },
    profiles: [profile],
  })}\n`
}
