/** True if an `Accept` header allows JSON; `q` values are ignored, as in PuppetDB. */
export function acceptsJson(accept = '*/*'): boolean {
  const types = accept.split(',').map((each) => each.replace(/;.*/s, '').trim())
  return types.some((type) => type === '*/*' || type === 'application/*' || type === 'application/json')
}
