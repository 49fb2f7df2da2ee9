import type { Rules } from './context.ts'

/** Rules for the parts of EPP templates, which are not formatted. */
export const templateRules: Rules<'Epp' | 'RenderString' | 'Render'> = {
  Epp: (_, c) => c.fail(),
  RenderString: (_, c) => c.fail(),
  Render: (_, c) => c.fail(),
}
