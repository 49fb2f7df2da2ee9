/** Commands of a document that are run one after the other, with what the document says of them. */
export interface Step {
  /** The line of the document on which the block of commands begins. */
  readonly line: number
  readonly commands: string
  /** The statuses of those commands that do not end with 0, in order. */
  readonly exits: readonly number[]
  /** Lines to expect, in this order, others between them; `…` stands for what differs. */
  readonly expected: readonly string[]
}

/** What a step has printed, and the statuses of its commands that did not end with 0. */
export interface Outcome {
  readonly output: string
  readonly exits: readonly number[]
}

const fence = /^```(\w+)(?: exit=([\d,]+))?\n([\s\S]*?)^```$/gm

/** The blocks of `sh` of a document, each with the block of `text` that follows it. */
export function stepsOf(document: string): Step[] {
  const steps: Step[] = []
  for (const { 1: kind, 2: exits = '', 3: body = '', index } of document.matchAll(fence)) {
    const lines = body.trimEnd().split('\n')
    if (kind === 'text') steps.push({ ...steps.pop()!, expected: lines })
    else
      steps.push({
        line: document.slice(0, index).split('\n').length,
        commands: body,
        exits: exits.split(',').filter(Boolean).map(Number),
        expected: [],
      })
  }
  return steps
}

const begin = (index: number) => `-- step ${index} --`

/** One script for bash of all steps: they share variables, functions and the folder that they are in. */
export function scriptOf(steps: readonly Step[]): string {
  const blocks = steps.map(({ commands }, index) => `echo '${begin(index)}'\n${commands}`)
  return ['exec 2>&1', 'trap \'echo "-- exit $? --"\' ERR', ...blocks, "echo '-- end --'"].join('\n')
}

/** What came of each step; those that were not reached have none. */
export function outcomesOf(steps: readonly Step[], output: string): Outcome[] {
  return steps.flatMap((_, index) => {
    const [, behind] = output.split(`${begin(index)}\n`)
    if (behind === undefined) return []
    const own = behind.split(/^-- (?:step \d+|end) --$/m)[0]!
    const exits = [...own.matchAll(/^-- exit (\d+) --$/gm)].map(([, status]) => Number(status))
    return [{ output: own.replace(/^-- exit \d+ --\n/gm, ''), exits }]
  })
}

/** The first line that was to be expected and did not come after those before it. */
export function missingLine({ expected }: Step, { output }: Outcome): string | undefined {
  const lines = output.split('\n')
  let from = 0
  return expected.find((line) => {
    const pattern = line.trim().split('…').map(literal).join('.*')
    const found = lines.findIndex((each, index) => index >= from && new RegExp(`^${pattern}$`).test(each.trim()))
    from = found + 1
    return found < 0
  })
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
