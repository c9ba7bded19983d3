import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import causeway.mock.MockServer;
import causeway.mock.MockServer.World;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(MockServer.class)
class MockServerTest {
  private static int get(String url, String token) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url)).header("authorization", "Bearer " + token).build();
    return HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  @Test
  void asksForTheDocumentOnce(World mock) throws Exception {
    assertEquals(200, get(mock.instance + "info.json", ""));
    mock.verify("GET", "/info.json", 1);
  }

  @Test
  void saysWhatCameNearest(World mock) throws Exception {
    get(mock.instance + "info.json", "");
    AssertionError error =
        assertThrows(AssertionError.class, () -> mock.verify("POST", "/info.json", 1));
    assertTrue(error.getMessage().contains("method: GET"), error.getMessage());
  }

  @Test
  void showsThatTheServiceIsDown(World mock) throws Exception {
    mock.scenario("content-down");
    assertEquals(503, get(mock.origin + "/2.3/club", ""));
    mock.scenario();
    mock.fault("{\"times\": 1, \"fault\": {\"status\": 418}}");
    assertEquals(418, get(mock.origin + "/2.3/club", ""));
  }

  @Test
  void logsInAndMovesTheClock(World mock) throws Exception {
    String token = mock.logIn("anna");
    assertEquals(200, get(mock.origin + "/api/vpn/profile_list", token));
    mock.advance(365 * 86400);
    assertEquals(401, get(mock.origin + "/api/vpn/profile_list", token));
    mock.verify("{\"match\": {\"user\": \"anna\"}, \"times\": 2}");
  }

  @Test
  void namesTheTunnelOfTheServer(World mock) {
    assertTrue(mock.server.tunnel().contains("\"mode\":\"none\""));
  }
}
