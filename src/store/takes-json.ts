/** True of an `Accept` that JSON fits; `q` is not heeded, as in PuppetDB. */
export function takesJson(accept = '*/*'): boolean {
  const types = accept.split(',').map((each) => each.replace(/;.*/s, '').trim())
  return types.some((type) => type === '*/*' || type === 'application/*' || type === 'application/json')
}
