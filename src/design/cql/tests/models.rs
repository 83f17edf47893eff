//! Published designs: every pattern is proved.

use super::{outcome, published};

#[test]
fn sessions_are_proved() {
    let text = published("sessions", &[]).replace("cassandra-5.0, keyspaces", "cassandra-5.0");
    let outcome = outcome(&text);
    assert_eq!(outcome.errors(), [] as [&str; 0]);
    assert_eq!(
        outcome.served("get-session"),
        ["cql.sessions [1] SELECT * FROM sessions.sessions WHERE token = :\"token\"".replace("token =", "\"token\" =")]
    );
    assert_eq!(
        outcome.served("sessions-of-user"),
        ["cql.sessions_by_user [1] SELECT created_at, \"token\", expires_at FROM sessions.sessions_by_user \
          WHERE username = :username ORDER BY created_at DESC"]
    );
    assert_eq!(
        outcome.served("end-session"),
        [
            "cql.sessions [1] DELETE FROM sessions.sessions WHERE \"token\" = :\"token\"",
            "cql.sessions_by_user [1] DELETE FROM sessions.sessions_by_user \
             WHERE username = :username AND created_at = :created_at AND \"token\" = :\"token\"",
        ]
    );
    let explained = outcome.explained("write-needs-read");
    assert!(explained.contains("must read `username`, `created_at`"), "{explained}");
    assert!(explained.contains("SELECT username, created_at FROM sessions.sessions WHERE \"token\" = :\"token\""), "{explained}");
    assert_eq!(outcome.table("sessions").about.serves, ["get-session"]);
}

#[test]
fn a_hotel_is_proved() {
    let text = published("hotel", &["views:", "types:", "address:", "addresses:", "compression:", "gc_grace:", "defaults:"])
        .replace("cassandra-4.1, ", "")
        .replace("name, phone, address]", "name, phone]")
        .replace("reservation:           ", "#");
    let outcome = outcome(&text);
    assert_eq!(outcome.errors(), [] as [&str; 0]);
    assert_eq!(
        outcome.served("free-rooms"),
        ["cql.available_rooms_by_hotel_date [2] SELECT * FROM hotel.available_rooms_by_hotel_date \
          WHERE hotel_id = :hotel_id AND date_month = :date_month AND date >= :arrival AND date <= :departure"]
    );
    assert_eq!(
        outcome.served("reservations-of-guest"),
        ["cql.reservations_by_guest [64] SELECT * FROM hotel.reservations_by_guest WHERE guest_last_name = :guest_last_name \
          AND confirm_number_shard = :confirm_number_shard ORDER BY hotel_id ASC LIMIT 50"]
    );
    // The copy's key is given too, and only the tables that store the name are written.
    let tables: Vec<String> =
        outcome.served("rename-hotel").iter().map(|served| served.split(' ').next().unwrap().to_owned()).collect();
    assert_eq!(tables, ["cql.hotels", "cql.hotels_by_poi"]);
    assert!(outcome.served("take-room")[0].ends_with("AND room_number = :room_number IF is_available = true"));
}

#[test]
fn a_video_site_is_proved() {
    let text = published(
        "killrvideo",
        &[
            "indexes:",
            "video-by-location:",
            "compaction:",
            "for_engine:",
            "defaults:",
            "content_features:",
            "VideoStats:",
            "stats-of-video:",
            "record-view:",
            "count-rating:",
            "video_stats:",
        ],
    );
    let outcome = outcome(&text);
    assert_eq!(outcome.errors(), [] as [&str; 0]);
    assert_eq!(
        outcome.served("latest-videos"),
        ["cql.latest_videos [1] SELECT added_date, videoid, userid, name, preview_image_location FROM killrvideo.latest_videos \
          WHERE yyyymmdd = :yyyymmdd ORDER BY added_date DESC LIMIT 20"]
    );
    assert_eq!(outcome.served("get-videos"), ["cql.videos [20] SELECT * FROM killrvideo.videos WHERE videoid = :videoid"]);
    assert_eq!(
        outcome.served("export-videos"),
        ["cql.videos [?] SELECT * FROM killrvideo.videos WHERE \"token\"(videoid) > :start AND \"token\"(videoid) <= :end"
            .replace("\"token\"", "token")]
    );
    assert!(outcome.served("sign-up")[0].contains(" VALUES (:email, :password, :userid) IF NOT EXISTS"));
    assert!(outcome.explained("transaction-not-atomic").contains("one partition of one table"));
}

#[test]
fn readings_are_walked_by_buckets() {
    let text = published("care-pet", &["defaults:", "compaction:", "compression:"])
        .replace("scylla-2025.1, scylla-2026.1", "cassandra-5.0")
        .replace(", tablets: true", "");
    let outcome = outcome(&text);
    assert_eq!(outcome.errors(), [] as [&str; 0]);
    let table = "SELECT * FROM carepet.measurement WHERE sensor_id = :sensor_id AND ts_week = :ts_week";
    // 90 days are 13 weeks at worst; 7 days touch 2.
    assert_eq!(outcome.served("latest-reading"), [format!("cql.measurement [13] {table} ORDER BY ts DESC LIMIT 1")]);
    assert_eq!(
        outcome.served("readings-between"),
        [format!("cql.measurement [2] {table} AND ts >= :\"from\" AND ts <= :\"to\"")]
    );
    assert_eq!(
        outcome.served("averages-of-day"),
        ["cql.sensor_avg [1] SELECT * FROM carepet.sensor_avg WHERE sensor_id = :sensor_id AND date = :date ORDER BY hour ASC"]
    );
}
