// Filters the tree of facts while the user types, without a request. Without JavaScript the browser sends the form.

const tree = document.querySelector('[data-filtered]')
const input = document.querySelector('.filters input[name="filter"]')

/**
 * Shows the items that contain a text and their parents. If an item's name contains the text, shows all items below it.
 * @param {Element} item
 * @param {string} wanted in lower case
 * @param {boolean} isWhole
 * @returns {boolean} true if the item is shown
 */
function narrow(item, wanted, isWhole) {
  const key = item.querySelector('.key')?.textContent?.toLowerCase() ?? ''
  const all = isWhole || key.includes(wanted)
  const items = [...item.querySelectorAll(':scope > details > ul > li')]
  const some = items.map((each) => narrow(each, wanted, all)).some(Boolean)
  const text = items.length === 0 && (item.textContent ?? '').toLowerCase().includes(wanted)
  const shown = all || some || text
  item.toggleAttribute('hidden', !shown)
  const details = item.querySelector(':scope > details')
  if (details instanceof HTMLDetailsElement) details.open = wanted !== '' && shown
  return shown
}

if (tree && input instanceof HTMLInputElement)
  input.addEventListener('input', () => {
    const wanted = input.value.trim().toLowerCase()
    for (const item of tree.children) narrow(item, wanted, wanted === '')
  })
