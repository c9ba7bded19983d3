import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MockServerTest {
  private static final HttpClient client = HttpClient.newHttpClient();
  private static Process process;
  private static String server;
  /** A mock for one test: the addresses of a world of the server. */
  private String origin;
  private String control;
  private String world;

  /** Returns a text of a flat JSON object, so that the example needs no library. */
  private static String field(String name, String json) {
    Matcher found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
    if (!found.find()) throw new IllegalStateException(name + " is not in " + json);
    return found.group(1);
  }

  private static HttpResponse<String> send(String method, String url, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .header("content-type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  @BeforeAll
  static void startServer() throws Exception {
    process =
        new ProcessBuilder("npx", "causeway-mock-server", "--port", "0", "--json", "--auto-approve")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader output = new BufferedReader(new InputStreamReader(process.getInputStream()));
    server = field("control", output.readLine());
  }

  @AfterAll
  static void endServer() throws Exception {
    process.destroy();
    process.waitFor();
  }

  @BeforeEach
  void createWorld() throws Exception {
    String created = send("POST", server + "/worlds", "{}").body();
    world = field("world", created);
    origin = field("origin", created);
    control = field("control", created);
  }

  @AfterEach
  void deleteWorld() throws Exception {
    send("DELETE", server + "/worlds/" + world, "");
  }

  @Test
  void asksForTheDocumentOnce() throws Exception {
    assertEquals(200, send("GET", origin + "/info.json", "").statusCode());
    String expected = "{\"match\": {\"path\": \"/info.json\"}, \"times\": 1}";
    HttpResponse<String> verified = send("POST", control + "/verify", expected);
    assertEquals(200, verified.statusCode(), verified.body());
  }

  @Test
  void showsThatTheServiceIsDown() throws Exception {
    send("POST", control + "/scenarios", "{\"names\": [\"content-down\"]}");
    assertEquals(503, send("GET", origin + "/2.3/club", "").statusCode());
  }
}
