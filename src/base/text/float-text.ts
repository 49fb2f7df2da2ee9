/** A Float as Ruby prints it: `1.0`, `1.0e+20`, `1.0e-05`. */
export function formatRubyFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  const size = Math.abs(value)
  if ((size >= 1e15 && Number.isInteger(size)) || size < 1e-4) {
    const [digits, exponent] = value.toExponential().split('e') as [string, string]
    const power = exponent.slice(1).padStart(2, '0')
    return `${digits.includes('.') ? digits : `${digits}.0`}e${exponent[0]}${power}`
  }
  const text = String(value)
  return text.includes('.') ? text : `${text}.0`
}
