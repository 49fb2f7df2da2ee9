import { type ExactJson, isExactObject } from '../../../../base/json/exact-json.ts'
import { parseJson } from '../../../../base/json/json-text.ts'
import { toBackslashes } from '../../../../machine/windows/machine-path.ts'
import { buildScriptCommand, powershell } from '../../../../machine/windows/power-shell.ts'
import type { Machine } from '../../machine.ts'

/**
 * Prints the inventory as JSON in ASCII, which does not depend on the code page of the console. Each part may fail alone,
 * as .NET types do in the constrained language mode. Only the properties in use are queried: the load of a processor alone
 * would take a second.
 */
const script = String.raw`
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$found = @{}
function Add-Part($name, $part) { try { $found[$name] = @(& $part) } catch { } }
function Get-Row($class, $names) { Get-CimInstance -Query "SELECT $($names -join ',') FROM $class" | Select-Object $names }
Add-Part bios { Get-Row Win32_BIOS @('Manufacturer', 'SerialNumber') }
Add-Part product { Get-Row Win32_ComputerSystemProduct @('Name', 'UUID') }
Add-Part system { Get-Row Win32_ComputerSystem @('Manufacturer', 'Model', 'OEMStringArray') }
Add-Part processors { Get-Row Win32_Processor @('Name', 'Architecture', 'NumberOfLogicalProcessors', 'NumberOfCores') }
Add-Part netkvm { Test-Path 'HKLM:\SYSTEM\CurrentControlSet\Services\netkvm' }
Add-Part user { [Security.Principal.WindowsIdentity]::GetCurrent().Name }
Add-Part timezone { $zone = [TimeZoneInfo]::Local
  if ($zone.IsDaylightSavingTime([DateTime]::Now)) { $zone.DaylightName } else { $zone.StandardName } }
Add-Part adapters { foreach ($each in [Net.NetworkInformation.NetworkInterface]::GetAllNetworkInterfaces()) {
  $about = $each.GetIPProperties()
  $four = $null; try { $four = $about.GetIPv4Properties() } catch { }
  $six = $null; try { $six = $about.GetIPv6Properties() } catch { }
  @{ Name = $each.Name; Type = [int]$each.NetworkInterfaceType; Status = [int]$each.OperationalStatus
    Mac = "$($each.GetPhysicalAddress())"; Suffix = $about.DnsSuffix
    Mtu = $(if ($four) { $four.Mtu } elseif ($six) { $six.Mtu })
    Dhcp = $(if ($four -and $four.IsDhcpEnabled) { "$($about.DhcpServerAddresses | Select-Object -First 1)" })
    Addresses = @($about.UnicastAddresses | ForEach-Object { "$($_.Address)/$($_.PrefixLength)" }) } } }
$text = ConvertTo-Json $found -Compress -Depth 5
if ($text -match '[^ -~]') {
  $text = -join ($text.ToCharArray() | ForEach-Object {
    if ([int]$_ -gt 126) { '\u{0:x4}' -f [int]$_ } else { $_ } }) }
$text
`

const [program, ...words] = buildScriptCommand(script, '-InputFormat', 'None', '-OutputFormat', 'Text')

/** The command line that prints the inventory. */
export const inventoryCommand: readonly string[] = [toBackslashes(program), ...words]

/** An object of the Common Information Model, or an adapter. */
export type InventoryItem = Readonly<Record<string, ExactJson | undefined>>

/** Data of Windows that only PowerShell gives; a part is empty if it failed. */
export interface Inventory {
  readonly bios: InventoryItem
  readonly product: InventoryItem
  readonly system: InventoryItem
  readonly processors: readonly InventoryItem[]
  /** True if the network driver of KVM is installed. */
  readonly hasKvmDriver: boolean
  /** Domain or machine, and name: `EXAMPLE\alice`. */
  readonly user: string | undefined
  /** The name of the time zone in the language of the system. */
  readonly timezone: string | undefined
  /** Network adapters in the order of Windows. */
  readonly adapters: readonly InventoryItem[]
}

/** The inventory of this machine; undefined without PowerShell. It is read once for each collection of facts. */
export const readInventory = (machine: Machine): Promise<Inventory | undefined> => machine.once(runInventory)

async function runInventory(machine: Machine): Promise<Inventory | undefined> {
  if (!(await machine.files.stat(powershell).catch(() => undefined))) return undefined
  return parseInventory(await machine.output(inventoryCommand))
}

/** Parses the printed inventory; undefined if it is not a JSON object. */
export function parseInventory(printed: string): Inventory | undefined {
  let parsed: ExactJson
  try {
    parsed = parseJson(printed.trim())
  } catch {
    return undefined
  }
  const found = toItem(parsed)
  if (found === undefined) return undefined
  const getItems = (name: string): readonly InventoryItem[] =>
    toList(found[name])
      .map(toItem)
      .filter((item) => item !== undefined)
  const getFirst = (name: string) => getItems(name)[0] ?? {}
  const getText = (name: string) => toText(toList(found[name])[0])
  return {
    bios: getFirst('bios'),
    product: getFirst('product'),
    system: getFirst('system'),
    processors: getItems('processors'),
    hasKvmDriver: toList(found['netkvm'])[0] === true,
    user: getText('user'),
    timezone: getText('timezone'),
    adapters: getItems('adapters'),
  }
}

function toItem(value: ExactJson | undefined): InventoryItem | undefined {
  return isExactObject(value) && !(value instanceof Map) ? (value as InventoryItem) : undefined
}

/** An array; PowerShell 5.1 also writes `{"value": […], "Count": 1}`, and a single item without an array. */
export function toList(value: ExactJson | undefined): readonly ExactJson[] {
  if (value === undefined || value === null) return []
  const wrapped = toItem(value)
  const list = wrapped !== undefined && 'Count' in wrapped ? wrapped['value'] : value
  return Array.isArray(list) ? (list as readonly ExactJson[]) : list === undefined || list === null ? [] : [list]
}

/** A text that is not empty. */
export const toText = (value: ExactJson | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
