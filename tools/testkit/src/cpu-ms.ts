/** How long this process has computed, ms: unlike a clock it stands while the machine is at the work of others. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
