import { closeWindow, isVisible, test } from './desktop-fixtures'
import { expect } from './fixtures'

const maintenance = {
  message: { en: 'Maintenance on <b>Monday</b>', nl: 'Onderhoud' },
  date_time: '2026-11-20T08:00:00Z',
}
const older = { message: 'Welcome', date_time: '2026-11-01T08:00:00Z' }
const news = { message: 'Back & <i>running</i>', date_time: '2026-11-20T18:00:00Z' }

test('marks messages as unread until they were shown, and notifies once of new ones in the background', async ({
  launch,
  mock,
  logIn,
  desktop,
}) => {
  await mock.control('PUT', 'system-messages', [older, maintenance])
  const app = await launch()
  const { window } = app
  await window.addInstance(mock.instance)
  await logIn(window)
  await window.firstProfile.waitFor()
  const link = window.page.getByRole('link', { name: 'Messages' })
  await expect(link).toContainText('2')
  await window.show('Messages')
  const items = window.page.getByRole('main').getByRole('listitem')
  await expect(items).toContainText([/New.*Maintenance on <b>Monday<\/b>/s, /New.*Welcome/s])
  await expect(link).not.toContainText('2')
  await window.show('Connection')
  await window.show('Messages')
  await expect(items).toHaveCount(2)
  await expect(window.page.getByText('New', { exact: true })).toHaveCount(0)

  expect(desktop.notifications).toEqual([])
  await closeWindow(app)
  await expect.poll(() => isVisible(app)).toBe(false)
  await mock.control('PUT', 'system-messages', [news, older, maintenance])
  await window.page.evaluate("document.querySelector('main button').click()")
  await expect
    .poll(() => desktop.notifications)
    .toContainEqual({ title: `Message from ${mock.host}`, body: 'Back &amp; &lt;i&gt;running&lt;/i&gt;' })
  await expect(link).toContainText('1')
  desktop.clickNotification(`Message from ${mock.host}`)
  await expect.poll(() => isVisible(app)).toBe(true)
  await expect(link).not.toContainText('1')
  expect(desktop.titles.filter((title) => title.startsWith('Message from'))).toHaveLength(1)
  await app.quit()

  const { window: again } = await launch()
  await again.show('Messages')
  await expect(again.page.getByText(news.message)).toBeVisible()
  await expect(again.page.getByText('New', { exact: true })).toHaveCount(0)
})
