/** Of a moment such as `2 Sep, 14:07` the time alone, where it is of the day of the other. */
export function timeOf(moment: string, other: string): string {
  const time = moment.lastIndexOf(', ')
  return time >= 0 && other.startsWith(moment.slice(0, time + 2)) ? moment.slice(time + 2) : moment
}
