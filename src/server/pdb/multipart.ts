import { defineIssues, throwIssue } from '../../base/issue.ts'

/** Errors of forms with files. */
export const formIssues = defineIssues({
  FORM_WITHOUT_FILE: { text: (a: { name: string }) => `The form has no file named '${a.name}'` },
  FORM_BROKEN: { text: () => 'The form is not multipart/form-data, or is truncated' },
})

/** Maximum size of the headers of a part, in bytes. */
const maxHeadBytes = 8192
const endOfHead = Buffer.from('\r\n\r\n')

/** Boundary between the parts of a form, from its content type. Throws FORM_BROKEN. */
export function parseBoundary(contentType: string): string {
  const [, quoted, plain] =
    /^multipart\/form-data\b.*;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  return quoted ?? plain ?? throwIssue(formIssues.FORM_BROKEN, {})
}

/** Streams one field of a form. Throws FORM_BROKEN and FORM_WITHOUT_FILE. */
export async function* streamFormFile(
  body: AsyncIterable<Buffer>,
  boundary: string,
  name: string,
): AsyncGenerator<Buffer> {
  const mark = Buffer.from(`\r\n--${boundary}`)
  // The first boundary is not preceded by a line end, so one is added.
  let held: Buffer = Buffer.from('\r\n')
  let place: 'before' | 'head' | 'wanted' | 'other' = 'before'
  let found = false
  for await (const chunk of body) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    while (true) {
      if (place === 'head') {
        const end = held.indexOf(endOfHead)
        if (end === -1 && held.length > maxHeadBytes) throwIssue(formIssues.FORM_BROKEN, {})
        if (end === -1) break
        place = isNamedField(held.subarray(0, end).toString('latin1'), name) ? 'wanted' : 'other'
        found ||= place === 'wanted'
        held = held.subarray(end + endOfHead.length)
      }
      const at = held.indexOf(mark)
      const end = at === -1 ? Math.max(0, held.length - mark.length + 1) : at
      if (place === 'wanted' && end > 0) yield held.subarray(0, end)
      held = held.subarray(at === -1 ? end : at + mark.length)
      if (at === -1) break
      place = 'head'
      // The last boundary ends with two dashes.
      if (held.length >= 2 && held[0] === 0x2d && held[1] === 0x2d) {
        if (!found) throwIssue(formIssues.FORM_WITHOUT_FILE, { name })
        return
      }
    }
  }
  if (place !== 'head' || !held.subarray(0, 2).equals(Buffer.from('--'))) throwIssue(formIssues.FORM_BROKEN, {})
  if (!found) throwIssue(formIssues.FORM_WITHOUT_FILE, { name })
}

function isNamedField(head: string, name: string): boolean {
  const line = head.split('\r\n').find((each) => /^content-disposition:/i.test(each)) ?? ''
  return /;\s*name="([^"]*)"/i.exec(line)?.[1] === name || /;\s*name=([^\s;"]+)/i.exec(line)?.[1] === name
}
