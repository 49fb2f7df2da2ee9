// Updates the relative times (`5 min ago`) of an open page.

/** @type {readonly (readonly [below: number, length: number, name: string])[]} */
const units = [
  [90e3, 1e3, 's'],
  [90 * 60e3, 60e3, 'min'],
  [36 * 3600e3, 3600e3, 'h'],
  [Number.POSITIVE_INFINITY, 24 * 3600e3, 'days'],
]

/** @param {number} length milliseconds */
function ago(length) {
  const [, unit, name] = units.find(([below]) => Math.abs(length) < below) ?? [0, 1e3, 's']
  return `${Math.round(length / unit)} ${name} ago`
}

function tell() {
  for (const time of document.querySelectorAll('time[datetime]')) {
    const length = Date.now() - Date.parse(time.getAttribute('datetime') ?? '')
    if (length > 5e3 && time.textContent?.match(/ago$|^just now$/)) time.textContent = ago(length)
  }
}

for (const time of document.querySelectorAll('time[datetime][title]'))
  time.setAttribute(
    'title',
    `${time.getAttribute('title')}\n${new Date(time.getAttribute('datetime') ?? '').toLocaleString()} here`,
  )
setInterval(tell, 30e3)
